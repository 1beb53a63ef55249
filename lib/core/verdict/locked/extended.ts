/** Whether a test file was extended, and not weakened: every part of it is still there, and what is new is harmless. Pure. */
import { bracesParts } from "./braces-parts.ts";
import { type Own, ownOf } from "./foreign-assignments.ts";
import { leaving, reaching } from "./load-time-effects.ts";
import { matched } from "./match-parts.ts";
import { takenIn, type UsedNames } from "./names-in-use.ts";
import { pythonParts } from "./python-parts.ts";
import type { Part } from "./test-part.ts";
import type { Language } from "./token.ts";

export interface TestFinding {
  line?: number;
  message: string;
}

export const partsOf = (text: string, language: Language): Part[] =>
  language === "python" ? pythonParts(text) : bracesParts(text, language);

export function lostOrSwitchedOff(before: string, after: string, language: Language): TestFinding[] {
  const old = partsOf(before, language);
  const taken = takenIn(old, language);
  const now = partsOf(after, language);
  const own = ownOf(language === "python" ? now : [], taken.names);
  return [...coding(before, after), ...compared(old, now, { taken, language, inClass: false, own, made: false })];
}

/** Comments that are more: a coding in Python, constraints in Go. */
function coding(before: string, after: string): TestFinding[] {
  const changed = SPECIAL.some((pattern) => pattern.exec(before)?.[0] !== pattern.exec(after)?.[0]);
  return changed ? [{ line: 1, message: "a comment that says how the file is read, or when, was changed" }] : [];
}
const SPECIAL = [
  /^(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*(?!utf-?8)[-\w.]+/i,
  /^\/\/(?:go:build| \+build)[^\n]*/m,
  /@(?:jest|vitest)-environment[^\n]*/,
];

interface Around {
  taken: UsedNames;
  language: Language;
  inClass: boolean;
  own: Own;
  /** In a class or group that is new as a whole. */
  made: boolean;
}

function compared(before: Part[], after: Part[], around: Around): TestFinding[] {
  const { kept, lost } = matched(before, after);
  const known = new Set(kept.values());
  const inserted = { ...around, changed: new Set(lost.map(({ name }) => name)), imported: importedIn(before) };
  const within = { ...around, inClass: around.language === "python" };
  return [
    ...lostWords(lost, after),
    ...lostImports(before, after),
    ...[...kept].flatMap(([old, now]) => (old.parts && now.parts ? compared(old.parts, now.parts, within) : [])),
    ...after.flatMap((part) => (known.has(part) ? [] : insertedWords(part, inserted))),
  ];
}

function lostWords(lost: Part[], after: Part[]): TestFinding[] {
  const now = new Map(after.map((part) => [`${part.kind} ${part.name}`, part]));
  return lost.map((part) => {
    const what = `${WHAT[part.kind]} ${shown(part.name)}`;
    const same = now.get(`${part.kind} ${part.name}`);
    return same
      ? { line: same.line, message: `${what} was changed` }
      : { line: part.line, message: `${what} was taken away, moved or changed` };
  });
}

const WHAT: Record<Part["kind"], string> = {
  test: "the test",
  group: "the group",
  import: "the import",
  statement: "the code",
};

const shown = (name: string): string => JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);

/** Imports may be ordered and joined as one likes, as long as nothing is missing. */
function lostImports(before: Part[], after: Part[]): TestFinding[] {
  const now = new Set(after.flatMap(({ brings = [] }) => brings));
  return before
    .filter(({ brings = [] }) => brings.some((one) => !now.has(one)))
    .map(({ line, name }) => ({ line, message: `the import ${shown(name)} … was taken away or changed` }));
}

interface ImportNames {
  brings: Set<string>;
  binds: Set<string>;
}

function importedIn(parts: Part[]): ImportNames {
  const imports = parts.filter(({ kind }) => kind === "import");
  return {
    brings: new Set(imports.flatMap(({ brings = [] }) => brings)),
    binds: new Set(imports.flatMap(({ binds }) => binds)),
  };
}

interface InsertedParts extends Around {
  /** Names of parts that are reported already. */
  changed: Set<string>;
  imported: ImportNames;
}

function insertedWords(part: Part, around: InsertedParts): TestFinding[] {
  const { language, own, made, inClass } = around;
  if (language === "python" && MAIN.test(part.key)) return [];
  const names = newMeanings(part, around);
  const again =
    names.length > 0
      ? [`it gives ${names.slice(0, 3).map(shown).join(", ")} another meaning, which accepted tests use`]
      : [];
  const messages = [
    ...again,
    ...reaching(part, { language, shared: !made, inClass: inClass && !made, own }),
    ...leaving(part, language),
  ];
  const found = [...new Set(messages)].map((message) => ({ line: part.line, message: `new code: ${message}` }));
  const isClass = part.kind === "group" && language === "python";
  const inner = [...(part.inner ?? []), ...(part.parts ?? [])];
  const within = { ...around, inClass: isClass, made: made || isClass };
  return [...found, ...inner.flatMap((each) => insertedWords(each, within))];
}

/** What the part binds though accepted tests already mean something by it. An import may come again as it was. */
function newMeanings(part: Part, { taken, inClass, changed, imported }: InsertedParts): string[] {
  if (changed.has(part.name)) return [];
  const strange = (part.brings ?? []).filter((one) => !imported.brings.has(one)).map(brought);
  return part.binds.filter((name) => {
    if (!taken.names.has(name) && !(inClass && taken.attributes.has(name))) return false;
    return part.kind !== "import" || !imported.binds.has(name) || strange.includes(name);
  });
}

/** Runs only where the file is started as a program. */
const MAIN = /^0 if __name__ == "__main__" :/;

const brought = (one: string): string => one.split(/[: ]/).at(-1) ?? "";
