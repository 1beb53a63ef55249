/** `l2mac get --zip`: writes what a run delivers as one file, with its manifest beside it. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { Run } from "../../core/run/run.ts";
import { shortId } from "../../core/text/format.ts";
import { manifestBeside, stemOf } from "../../files/provenance/beside.ts";
import type { Shell } from "../display/shell.ts";
import { writeNewFile } from "../display/write-new-file.ts";
import type { Connection } from "../runs/connection.ts";
import { usage } from "../settings/parse.ts";

/** Returns the exit code. */
export async function getZip(
  { connection, run, file }: { connection: Connection; run: Run; file: string },
  shell: Shell,
): Promise<number> {
  if (!/[^/\\]\.zip$/i.test(file)) throw usage({ name: "get" }, "--zip takes the name of a file that ends in .zip.");
  const delivery = await connection.delivery(run);
  if (!delivery) {
    throw new UserError(`Run ${shortId(run.id)} has no files yet.`, {
      exitCode: 1,
      remedy: { command: "status", args: [shortId(run.id), ...connection.remoteFlag] },
    });
  }
  const { zip, manifest } = delivery;
  const beside = manifestBeside(stemOf(file));
  const there = [file, beside].find((each) => existsSync(resolve(shell.cwd, each)));
  if (there !== undefined) {
    throw new UserError(`${there} is there already; it was not changed.`, {
      exitCode: 2,
      remedy: "Give --zip the name of a new file.",
    });
  }
  await writeNewFile(shell, file, zip);
  if (manifest === undefined) {
    shell.say("The run has no manifest.");
  } else {
    await writeNewFile(shell, beside, manifest);
    shell.say(`Beside it: ${beside}`);
    shell.say(`Verify it: ${shell.command("verify", file)}`);
  }
  shell.out(`${file}\n`);
  return 0;
}
