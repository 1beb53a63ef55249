/** The branch of this computer that a run elsewhere is delivered to, beside the record of its deliveries. */
import { dirname, join } from "node:path";
import { RunBranch } from "../../core/run/run-branch.ts";
import { writeWhole } from "../../host/atomic-file.ts";
import { makeFolder } from "../../host/make-folder.ts";
import { readRegular } from "../../host/regular-file.ts";

const fileBeside = (record: string): string => join(dirname(record), "branch.json");

/** Throws: a run whose branch is not known would be delivered elsewhere. */
export async function rememberBranch(record: string, branch: RunBranch): Promise<void> {
  makeFolder(dirname(record));
  await writeWhole(fileBeside(record), `${JSON.stringify(branch)}\n`);
}

export async function readRememberedBranch(record: string): Promise<RunBranch | undefined> {
  try {
    return RunBranch.parse(JSON.parse((await readRegular(fileBeside(record))).toString("utf8")));
  } catch {
    return undefined;
  }
}
