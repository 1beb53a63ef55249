/** What new code of a test file does while the file is loaded. Pure. */
import { compact, type Part } from "./part.ts";
import type { Language } from "./token.ts";

/** `module.name = …`, while the file is loaded or before each test: it changes what accepted tests get from there. */
export function reaching({ tokens, kind, binds }: Part, language: Language): string[] {
  if (language === "python" && /\bautouse=True\b.*\b(?:setattr|setitem|patch)\b/.test(compact(tokens)))
    return ["it replaces something before each test"];
  const mark = tokens[1]?.text;
  const outside = language === "python" && kind === "statement" && binds.length > 0 && (mark === "." || mark === "[");
  return outside && !SETS_ENVIRONMENT.test(compact(tokens.slice(0, 4)))
    ? ["it changes something that is not its own"]
    : [];
}

const SETS_ENVIRONMENT = /^os\.environ\[/;

/** Code that runs while the tests are being collected, and ends that. */
export function leaving({ tokens, kind }: Part, language: Language): string[] {
  const first = tokens[0]?.text ?? "";
  if (kind === "test" || kind === "group") return [];
  if (language === "python")
    return /^(?:raise|return|assert|break|continue)$/.test(first) ? ["it ends the file's loading early"] : [];
  if (/^(?:return|throw|break|continue)$/.test(first)) return ["it leaves before the tests that follow"];
  const blocks = /^(?:if|for|while|try|do|switch|\{)$/.test(first);
  return blocks && tokens.some(({ text }) => text === "return" || text === "throw")
    ? ["it can leave before the tests that follow"]
    : [];
}
