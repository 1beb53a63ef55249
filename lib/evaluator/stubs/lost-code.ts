/** Files that lost most of their lines, and with them names that other files still use. Pure. */
import { lex, type Token } from "../../core/text/lex.ts";
import { readableLanguageOf } from "../../core/text/source-languages.ts";
import type { Finding } from "../../core/verdict/verdict.ts";

interface SourceFile {
  path: string;
  text: string;
  before?: string;
}

/** Little can be lost unnoticed from a shorter file. */
const LARGE_LINES = 60;
/** A rewrite may be shorter, but not by this much. */
const KEPT_SHARE = 0.5;
const NAMES = 5;

/** Less code is no error, and neither is code that moved: only a name that is defined nowhere and still used was lost. */
export function lostCode(changed: SourceFile[], others: () => SourceFile[]): Finding[] {
  return changed.flatMap(({ path, text, before }) => {
    const lost = before === undefined ? [] : lostNames({ path, text, before }, changed);
    if (before === undefined || lost.length === 0) return [];
    const rest = [...changed, ...others().filter((other) => !changed.some((one) => one.path === other.path))];
    const use = lost.flatMap((name) => useOf(name, path, rest) ?? [])[0];
    if (!use) return [];
    const names = `${lost.slice(0, NAMES).join(", ")} ${lost.length === 1 ? "is" : "are"} gone`;
    const message = `it has ${linesOf(text)} of ${linesOf(before)} lines left, and ${names}, but ${use.path} still uses ${use.name}: write the whole file, or remove what uses it`;
    return [{ path, line: 1, message }];
  });
}

const linesOf = (text: string): number => text.split("\n").filter((line) => line.trim() !== "").length;

function lostNames({ path, text, before }: Required<SourceFile>, changed: SourceFile[]): string[] {
  if (linesOf(before) < LARGE_LINES || linesOf(text) > linesOf(before) * KEPT_SHARE) return [];
  const kept = new Set(changed.flatMap((file) => definedIn(file.path, file.text)));
  return definedIn(path, before).filter((name) => !kept.has(name));
}

const DEFINES = /^(?:def|class|function|const|let|var|func|fn|interface|type|enum)$/;

function codeOf(path: string, text: string): Token[] {
  const language = readableLanguageOf(path);
  return language ? lex(text, language.shape).filter(({ kind }) => kind !== "comment") : [];
}

function definedIn(path: string, text: string): string[] {
  const tokens = codeOf(path, text);
  return tokens.flatMap(({ kind, text: name }, at) =>
    kind === "word" && DEFINES.test(tokens[at - 1]?.text ?? "") && name.length > 2 ? [name] : [],
  );
}

/** The first other file that names this file and the lost name, and does not define that name itself. */
function useOf(name: string, path: string, files: SourceFile[]): { path: string; name: string } | undefined {
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(/\..*$/s, "");
  const user = files.find(
    (file) =>
      (file.path === path || new RegExp(`\\b${stem.replaceAll(/\W/g, "\\$&")}\\b`).test(file.text)) &&
      file.text.includes(name) &&
      !definedIn(file.path, file.text).includes(name) &&
      codeOf(file.path, file.text).some(({ kind, text }) => kind === "word" && text === name),
  );
  return user && { path: user.path, name };
}
