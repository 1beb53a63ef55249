/** Reads Surefire's reports, one file for each class of tests, file by file. They are untrusted: tests may have written them. */
import { join } from "node:path";
import { readJunit } from "../../report/junit.ts";
import { beginningOf, type Report } from "../../report/read-report.ts";
import { listTree } from "../../tree.ts";

export interface SurefireReports {
  cases: Report["cases"];
  /** Classes whose report is no whole one. */
  broken: string[];
  truncated: boolean;
}

const NAME = /(?:^|\/)surefire-reports\/TEST-(.+)\.xml$/;
export const isReport = (path: string): boolean => NAME.test(path);
const CASES = 300_000;
/** Cases whose messages are kept: no reader needs more. */
const MESSAGES = 2_000;

export async function readSurefire(copy: string, root: string): Promise<SurefireReports> {
  const { files } = await listTree(join(copy, root));
  const found: SurefireReports = { cases: [], broken: [], truncated: false };
  for (const path of files.filter(isReport)) {
    const { text, truncated } = await beginningOf(join(copy, root, path));
    const cases = truncated ? undefined : readJunit(text);
    if (!cases) found.broken.push(NAME.exec(path)?.[1] ?? path);
    for (const { message, ...one } of cases ?? []) {
      const isShown = message !== undefined && found.cases.length < MESSAGES;
      if (found.cases.length < CASES) found.cases.push(isShown ? { ...one, message } : one);
      else found.truncated = true;
    }
  }
  return found;
}
