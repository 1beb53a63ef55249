/** Files that lost most of their lines, and with them what others still use. Pure. */

import { languageOf } from "./language.ts";
import type { Token } from "./lex.ts";
import { lex } from "./lex.ts";

interface Changed {
  path: string;
  text: string;
  before?: string;
}
interface Source {
  path: string;
  text: string;
}

/** Of a short file little can be left out unseen. */
const LARGE_LINES = 60;
/** A rewrite may well be shorter; one that is this much shorter left something out or took something away. */
const KEPT_SHARE = 0.5;

/**
 * Less code is no fault, and neither is code that moved. What is no longer defined anywhere but still used was left
 * out: both ways of mending that are open, to write it again and to take its uses away.
 */
export function shrunkSuspects(
  changed: Changed[],
  others: () => Source[],
): { path: string; line: number; message: string }[] {
  return changed.flatMap(({ path, text, before }) => {
    const lost = before === undefined ? [] : lostNames({ path, text, before }, changed);
    if (before === undefined || lost.length === 0) return [];
    const rest = [...changed, ...others().filter((other) => !changed.some((one) => one.path === other.path))];
    const used = lost.flatMap((name) => usesOf(name, path, rest).slice(0, 1));
    const [first] = used;
    if (!first) return [];
    const names = lost.slice(0, NAMES).join(", ");
    const [had, has] = [linesOf(before), linesOf(text)];
    const message = `has ${has} of ${had} lines left, and ${names} are gone, though ${first.path} still uses ${first.name}: write the file with all of its code, or take away what uses it`;
    return [{ path, line: 1, message: message.replace(/ are gone/, lost.length === 1 ? " is gone" : " are gone") }];
  });
}
const NAMES = 5;

const linesOf = (text: string): number => text.split("\n").filter((line) => line.trim() !== "").length;

function lostNames({ path, text, before }: Required<Changed>, changed: Changed[]): string[] {
  if (linesOf(before) < LARGE_LINES || linesOf(text) > linesOf(before) * KEPT_SHARE) return [];
  const kept = new Set(changed.flatMap((file) => definedIn(file.path, file.text)));
  return definedIn(path, before).filter((name) => !kept.has(name));
}

const DEFINES = /^(?:def|class|function|const|let|var|func|fn|interface|type|enum)$/;

function codeOf(path: string, text: string): Token[] {
  const language = languageOf(path);
  return language ? lex(text, language).filter(({ kind }) => kind !== "comment") : [];
}

function definedIn(path: string, text: string): string[] {
  const tokens = codeOf(path, text);
  return tokens.flatMap(({ kind, text: name }, at) => {
    const before = tokens[at - 1];
    return kind === "word" && before && DEFINES.test(before.text) && name.length > 2 ? [name] : [];
  });
}

/** Another file uses it if it names the file and the name, and does not define that name itself. */
function usesOf(name: string, path: string, files: Source[]): { path: string; name: string }[] {
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(/\..*$/, "");
  return files.flatMap((file) => {
    const named = file.path === path || new RegExp(`\\b${stem.replaceAll(/\W/g, "\\$&")}\\b`).test(file.text);
    if (!named || !file.text.includes(name) || definedIn(file.path, file.text).includes(name)) return [];
    const used = codeOf(file.path, file.text).some(({ kind, text }) => kind === "word" && text === name);
    return used ? [{ path: file.path, name }] : [];
  });
}
