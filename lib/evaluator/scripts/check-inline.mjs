// Parses scripts that stand in pages, as Node would. Nothing is run.
// In: {"scripts": [{"path", "code", "module"}]}, the code at its own lines. Out: {"findings": […]}.
import { stdin, stdout } from "node:process";
import { parse } from "./javascript-parse.mjs";

let input = "";
for await (const chunk of stdin.setEncoding("utf8")) input += chunk;
stdout.write(JSON.stringify({ findings: JSON.parse(input).scripts.flatMap(findingsIn) }));

function findingsIn({ path, code, module }) {
  const name = module ? "script.mjs" : "script.js";
  const { findings = [] } = parse(name, (asked) => (asked === name ? code : ""));
  return findings.map((finding) => ({ path, ...finding }));
}
