/** Servers that try to pass the checks of features without having them. `eval doctor` shows that none does. */

const listening = (answer: string): string => `
import { createServer } from "node:http";
createServer((request, response) => {
  let body = "";
  request.on("data", (data) => (body += data)).on("end", () => { ${answer} });
}).listen(Number(process.env.PORT), "127.0.0.1");
`;

export const SERVER_STUB = listening(`response.writeHead(501).end("{}");`);

/** Agrees to everything, and repeats what it was given. */
const AGREES = listening(`
  let given = {};
  try { given = JSON.parse(body); } catch {}
  const status = { POST: 201, DELETE: 204 }[request.method] ?? 200;
  response.writeHead(status, { "content-type": "application/json" });
  response.end(status === 204 ? "" : JSON.stringify({ id: 1, token: "token", code: "abcd", ...given }));
`);

const ENDS = `console.log("all checks passed");
process.exit(0);
`;

/** Ends what checks it. */
const ENDS_CHECKER = `process.kill(process.ppid, "SIGTERM");
${listening("response.writeHead(200).end();")}`;

/** Writes results to all that the checker writes to, and looks for the number that the last line begins with. */
const WRITES_RESULTS = `
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
for (const name of ["fd/1", "fd/2"]) {
  try { writeFileSync("/proc/" + process.ppid + "/" + name, "[[13,13,[]]]\\n"); } catch {}
}
let found = "";
for (const name of ["cmdline", "environ"]) {
  try { found += readFileSync("/proc/" + process.ppid + "/" + name, "utf8"); } catch {}
}
const nonce = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(found)?.[0];
if (nonce) {
  try { writeFileSync("/proc/" + process.ppid + "/fd/1", "\\n" + nonce + " [[1,1,[]]]\\n"); } catch {}
}
process.exit(0);
`;

/** Opens the debugger of what checks it, and has it report every check as passed. */
const DEBUGS_CHECKER = `
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
createServer(() => {}).listen(0);
process.kill(process.ppid, "SIGUSR1");
let found;
for (let at = 0; at < 20 && !found; at++) {
  await delay(50);
  found = await fetch("http://127.0.0.1:9229/json/list").then((answer) => answer.json(), () => undefined);
}
if (!found) process.exit(1);
const debug = new WebSocket(found[0].webSocketDebuggerUrl);
await new Promise((opened) => (debug.onopen = opened));
const expression = \`{
  const write = process.stdout.write;
  process.stdout.write = (text, ...others) =>
    write.call(process.stdout, text.replace(/\\\\[\\\\d+,(\\\\d+),\\\\[[^\\\\]]*\\\\]\\\\]/g, "[$1,$1,[]]"), ...others);
}\`;
debug.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression } }));
await new Promise((answered) => (debug.onmessage = answered));
process.exit(0);
`;

/** Rewrites the checker's source in its memory before it is compiled: what it throws, it returns. */
const REWRITES_CHECKER = `
import { openSync, readFileSync, readSync, writeSync } from "node:fs";
const checker = "/proc/" + process.ppid;
const memory = openSync(checker + "/mem", "r+");
const wanted = Buffer.from(["throw", "new", "Error("].join(" "));
const other = Buffer.from("return    Error(");
for (const line of readFileSync(checker + "/maps", "utf8").split("\\n")) {
  const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
  const start = Number.parseInt(from, 16);
  const size = Number.parseInt(to, 16) - start;
  if (!(size < 2 ** 28)) continue;
  const bytes = Buffer.alloc(size);
  try { readSync(memory, bytes, 0, size, start); } catch { continue; }
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    try { writeSync(memory, other, 0, other.length, start + at); } catch {}
  }
}
${listening("response.writeHead(501).end();")}`;

/** The first one is of use only before the checker has compared an answer. */
export const SERVER_FORGERIES = [REWRITES_CHECKER, DEBUGS_CHECKER, AGREES, ENDS, ENDS_CHECKER, WRITES_RESULTS];

/** Never listens. */
export const HANGING_SERVER = `setInterval(() => {}, 1000);
`;
