/** `l2mac get`: unpacks the files of a run into a folder, where only what was delivered before is replaced. */
import { resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { Run } from "../../core/run/run.ts";
import type { RunBranch } from "../../core/run/run-branch.ts";
import { shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { groundAt } from "../../files/delivery.ts";
import { readDeliveries } from "../../files/delivery-record.ts";
import type { Command } from "../command.ts";
import { branchLines } from "../display/branch-lines.ts";
import { unrememberedLines } from "../display/ending.ts";
import type { Shell } from "../display/shell.ts";
import { ZIP } from "../provenance/verify-flags.ts";
import { NO_FOLDER } from "../runs/choose-name.ts";
import { deliver } from "../runs/compute.ts";
import { type Connection, connect } from "../runs/connection.ts";
import { findRun, refuseNotAccepted } from "../runs/find-run.ts";
import { usage } from "../settings/parse.ts";
import { readableSettings } from "../settings/settings.ts";
import { instructionIn } from "./tree.ts";

export const get: Command = async (given, shell) => {
  const connection = await connect(given, shell);
  const run = await findRun(connection, given.words[0]);
  const at = instructionIn(given.flags, "get");
  refuseNotAccepted(run, at, connection);
  const zip = given.flags.get(ZIP.name);
  if (zip !== undefined) {
    if (at !== undefined || given.flags.has("--out"))
      throw usage({ name: "get" }, "--zip goes with no --out and no --at.");
    return (await import("../provenance/get-zip.ts")).getZip({ connection, run, file: zip }, shell);
  }
  const out = given.flags.get("--out");
  const branch = out === undefined && at === undefined ? await connection.branch(run) : undefined;
  const usual = async (): Promise<string> =>
    (await connection.folder(run)) ?? resolve(shell.cwd, readableSettings(shell).workspace ?? "workspace", run.name);
  if (branch) return getBranch({ connection, run, branch }, shell);
  const folder = out === undefined ? await usual() : resolve(shell.cwd, out);
  await refuseForeign(connection, run, folder);
  const manifest = at === undefined ? connection.manifest : async () => undefined;
  const kept = await deliver({ ...connection, output: () => connection.output(run, at), manifest }, run, { folder });
  if (kept.folder === undefined) throw noFiles(connection, run);
  for (const line of unrememberedLines(kept)) shell.say(line);
  for (const path of kept.untouched) shell.say(`Not overwritten: ${sanitizeLine(path)}`);
  shell.out(`${kept.folder}\n`);
  return 0;
};

interface BranchAsked {
  connection: Connection;
  run: Run;
  branch: RunBranch;
}

async function getBranch({ connection, run, branch }: BranchAsked, shell: Shell): Promise<number> {
  const kept = await deliver(connection, run, { branch });
  if (!kept.branch) throw noFiles(connection, run);
  for (const line of branchLines(kept.branch, shell.cwd)) shell.say(line);
  shell.out(`${kept.branch.name}\n`);
  return 0;
}

const noFiles = ({ remoteFlag }: Connection, run: Run): UserError =>
  new UserError(`Run ${shortId(run.id)} has no files yet.`, {
    exitCode: 1,
    remedy: { command: "status", args: [shortId(run.id), ...remoteFlag] },
  });
async function refuseForeign(connection: Connection, run: Run, folder: string): Promise<void> {
  const ground = await groundAt(folder);
  if (ground === "free") return;
  const deliveries = await readDeliveries(connection.record(run));
  if (Object.hasOwn(deliveries, folder)) return;
  const why = ground === "occupied" ? "is not empty, and this run was not delivered there" : NO_FOLDER;
  throw new UserError(`${folder} ${why}.`, {
    exitCode: 2,
    remedy: { command: "get", args: [shortId(run.id), "--out", `${run.name}-files`, ...connection.remoteFlag] },
  });
}
