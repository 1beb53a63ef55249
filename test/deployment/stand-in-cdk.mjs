/** A stand-in for cdk: records how it is called, and behaves as the files beside it define. */
import { appendFileSync, cpSync, existsSync, readFileSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const argv = process.argv.slice(2);
const after = (flag) => argv[argv.indexOf(flag) + 1] ?? "";
const [command = ""] = argv;
const asks = join(here, `${command}.asks`);
const question = existsSync(asks) && argv.includes("any-change");
if (question) process.stdout.write(readFileSync(asks));
const stdin = question ? readLine() : process.stdin.isTTY ? "" : readFileSync(0, "utf8");
appendFileSync(
  join(here, "calls.jsonl"),
  `${JSON.stringify({ argv, env: process.env, stdin, node: process.execPath, cwd: process.cwd() })}\n`,
);
const said = join(here, `${command}.txt`);
if (existsSync(said)) process.stderr.write(readFileSync(said));
const declined = question && !stdin.startsWith("y");
if (declined) process.stderr.write("❌  L2mac failed: Deployment cancelled\n");
const fails = declined || existsSync(join(here, `${command}.fails`));
if (command === "deploy" && !fails) {
  cpSync(join(here, "assembly"), after("--output"), { recursive: true });
  cpSync(join(here, "outputs.json"), after("--outputs-file"));
}
process.exitCode = fails ? 1 : 0;
// As long as CloudFormation is at work.
if (existsSync(join(here, `${command}.waits`))) setInterval(() => {}, 60_000);

/** One line from a terminal. */
function readLine() {
  const buffer = Buffer.alloc(100);
  return buffer.toString("utf8", 0, readSync(0, buffer));
}
