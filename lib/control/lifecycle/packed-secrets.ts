/** What looks like a secret in the files that a run delivers. They stay as they are, so it is named. */
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import { decodeText } from "../../core/text/file-text.ts";
import { findSecrets, lineOf } from "../../core/text/find-secrets.ts";
import { readFileIn, readTree } from "../files/packs.ts";
import type { World } from "../world.ts";

export interface FileSecret {
  path: string;
  line: number;
  kind: string;
}

const SECRETS_REPORTED = 100;

export async function packedSecrets({ files }: World, run: Run): Promise<FileSecret[]> {
  if (run.packed < 0) return [];
  const found: FileSecret[] = [];
  const name = { runId: run.id, number: run.packed };
  const tree = await readTree(files, run.id, run.packed);
  for (const path of tree.keys()) {
    const content = readFileIn(tree, name, path);
    const text = (content && decodeText(content)) ?? "";
    for (const { kind, start } of findSecrets(text))
      if (found.push({ path, line: lineOf(text, start), kind }) >= SECRETS_REPORTED) return found;
  }
  return found;
}

const SECRETS_NAMED = 5;

export function secretNotice(secrets: FileSecret[]): EventBody[] {
  if (secrets.length === 0) return [];
  const named = secrets.slice(0, SECRETS_NAMED).map(({ path, line, kind }) => `${path}:${line} (${kind})`);
  const more = secrets.length > named.length ? ", … report.json has them all" : "";
  return [{ type: "notice", text: `The files hold what looks like secrets: ${named.join(", ")}${more}.` }];
}
