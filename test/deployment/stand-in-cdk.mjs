/** Stands in for cdk: notes how it was called, and does what the files beside it say. */
import { appendFileSync, cpSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const argv = process.argv.slice(2);
const after = (flag) => argv[argv.indexOf(flag) + 1] ?? "";
const stdin = readFileSync(0, "utf8");
appendFileSync(
  join(here, "calls.jsonl"),
  `${JSON.stringify({ argv, env: process.env, stdin, node: process.execPath, cwd: process.cwd() })}\n`,
);
const [command = ""] = argv;
const said = join(here, `${command}.txt`);
if (existsSync(said)) process.stderr.write(readFileSync(said));
if (command === "synth") cpSync(join(here, "assembly"), after("--output"), { recursive: true });
const fails = existsSync(join(here, `${command}.fails`));
if (command === "deploy" && !fails) cpSync(join(here, "outputs.json"), after("--outputs-file"));
process.exitCode = fails ? 1 : 0;
// As long as CloudFormation is at work.
if (existsSync(join(here, `${command}.waits`))) setInterval(() => {}, 60_000);
