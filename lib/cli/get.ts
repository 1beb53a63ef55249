/** `l2mac get`: unpacks the files of a run into a folder, where only what was delivered before is replaced. */
import { join, resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import type { Run } from "../core/run.ts";
import { isOccupied } from "../local/delivery.ts";
import { readDeliveries } from "../local/delivery-record.ts";
import type { LocalMachine } from "../local/open.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import type { Command } from "./commands.ts";
import { deliver } from "./compute.ts";
import { findRun, openExisting } from "./open.ts";
import { quoted, shortId } from "./words.ts";

export const get: Command = async ({ words, flags }, shell) => {
  const machine = await openExisting(shell);
  const run = await findRun(machine, words[0]);
  const out = flags.get("--out");
  const folder =
    out === undefined ? (run.options.out ?? resolve(shell.cwd, "workspace", run.name)) : resolve(shell.cwd, out);
  await refuseForeign(machine, run, folder);
  const kept = await deliver(machine, run, folder);
  if (kept.folder === undefined) {
    throw new UserError(`Run ${shortId(run.id)} has no files yet.`, {
      exitCode: 1,
      remedy: `l2mac status ${shortId(run.id)}`,
    });
  }
  for (const path of kept.untouched) shell.say(`Left as it was found: ${path}`);
  shell.out(`${kept.folder}\n`);
  return 0;
};

async function refuseForeign(machine: LocalMachine, run: Run, folder: string): Promise<void> {
  if (!(await isOccupied(folder))) return;
  const deliveries = await readDeliveries(join(machine.home, fileStoreKeys(run.id).root, "delivered.json"));
  if (Object.hasOwn(deliveries, folder)) return;
  throw new UserError(`${folder} is not empty, and this run was not delivered there.`, {
    exitCode: 2,
    remedy: `l2mac get ${shortId(run.id)} --out ${quoted(`${run.name}-files`)}`,
  });
}
