/** The scripts that stand in a page itself, parsed like any other. */
import { join } from "node:path";
import type { Finding } from "../../../core/verdict/verdict.ts";
import type { SyntaxResult, Workspace } from "../../language.ts";
import { runChecker } from "../../report/run-checker.ts";
import type { DataFile } from "./data-language.ts";
import { positionAt } from "./position-at.ts";

interface InlineScript {
  path: string;
  /** At its own lines and columns: the text before it is blank. */
  code: string;
  module: boolean;
}

export async function inlineScripts(files: DataFile[], workspace: Workspace): Promise<Finding[] | SyntaxResult> {
  const scripts = files.flatMap(scriptsIn);
  if (scripts.length === 0) return [];
  const script = join(workspace.scripts, "check-javascript.mjs");
  const argv = [workspace.toolchain.node, "--experimental-vm-modules", "--no-warnings", script];
  const answer = await runChecker(workspace, argv, { scripts });
  return "status" in answer ? answer : answer.findings;
}

/** Of pages whose tags fit together. A value that a template puts in may be any code. */
function scriptsIn({ path, text }: DataFile): InlineScript[] {
  if (/\{\{|\[\[/.test(text) || !/<script/i.test(text)) return [];
  const plain = withoutComments(text);
  return elementsIn(plain).flatMap(({ attributes, from, to }) => {
    const kind = kindOf(attributes);
    const code = plain.slice(from, to);
    if (kind === undefined || code.trim() === "") return [];
    const { line, column } = positionAt(text, from);
    const before = `${"\n".repeat(line - 1)}${" ".repeat(column - 1)}`;
    return [{ path, code: before + code, module: kind === "module" }];
  });
}

interface Element {
  attributes: string;
  /** Where its code begins and ends. */
  from: number;
  to: number;
}

/** More are no page that anybody wrote, and each is parsed with the lines before it. */
const SCRIPTS = 50;

function elementsIn(text: string): Element[] {
  const found: Element[] = [];
  const opening = /<script(\s[^<>]*)?>/gi;
  const closing = /<\/script\s*>/gi;
  while (found.length < SCRIPTS) {
    const start = opening.exec(text);
    if (!start) break;
    const from = start.index + start[0].length;
    closing.lastIndex = from;
    const end = closing.exec(text);
    if (!end) break;
    found.push({ attributes: start[1] ?? "", from, to: end.index });
    opening.lastIndex = closing.lastIndex;
  }
  return found;
}

/** Blank, so that all else stays where it is. */
function withoutComments(text: string): string {
  let plain = "";
  let at = 0;
  for (let from = text.indexOf("<!--"); from !== -1; from = text.indexOf("<!--", at)) {
    const end = text.indexOf("-->", from);
    if (end === -1) break;
    plain += text.slice(at, from) + text.slice(from, end + 3).replace(/[^\n]/g, " ");
    at = end + 3;
  }
  return plain + text.slice(at);
}

const JAVASCRIPT = /^(?:|text\/javascript|application\/(?:x-)?javascript|text\/ecmascript)$/i;

/** Others hold data, templates, or what a compiler reads. */
function kindOf(attributes: string): "script" | "module" | undefined {
  if (/\s(?:src|lang|language)\s*=/i.test(attributes)) return undefined;
  const type = /\stype\s*=\s*["']?([^\s"'>]*)/i.exec(attributes)?.[1] ?? "";
  if (type.toLowerCase() === "module") return "module";
  return JAVASCRIPT.test(type) ? "script" : undefined;
}
