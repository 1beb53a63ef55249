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

export const SERVER_FORGERIES = [AGREES, ENDS, ENDS_CHECKER, WRITES_RESULTS];

/** Never listens. */
export const HANGING_SERVER = `setInterval(() => {}, 1000);
`;
