/** Whether a test file was extended, and not weakened: every part of it is still there, and what is new is harmless. Pure. */
import { bracesParts, bracesUses } from "./braces-parts.ts";
import type { Part } from "./part.ts";
import { pythonUses } from "./python-names.ts";
import { pythonParts } from "./python-parts.ts";
import { switchesIn } from "./switches.ts";
import type { Language } from "./token.ts";

export interface Found {
  line?: number;
  message: string;
}

export const partsOf = (text: string, language: Language): Part[] =>
  language === "python" ? pythonParts(text) : bracesParts(text, language);

export function lostOrSwitchedOff(before: string, after: string, language: Language): Found[] {
  const old = partsOf(before, language);
  const taken = takenIn(old, language);
  return [...coding(before, after), ...compared(old, partsOf(after, language), { taken, language, inClass: false })];
}

/** Comments that are more: a coding in Python, constraints in Go. */
function coding(before: string, after: string): Found[] {
  const changed = SPECIAL.some((pattern) => pattern.exec(before)?.[0] !== pattern.exec(after)?.[0]);
  return changed ? [{ line: 1, message: "a comment that says how the file is read, or when, was changed" }] : [];
}
const SPECIAL = [
  /^(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*(?!utf-?8)[-\w.]+/i,
  /^\/\/(?:go:build| \+build)[^\n]*/m,
  /@(?:jest|vitest)-environment[^\n]*/,
];

interface Taken {
  names: Set<string>;
  attributes: Set<string>;
}

interface Around {
  taken: Taken;
  language: Language;
  inClass: boolean;
}

/** Every name that the accepted file uses or makes: new code must not give it another meaning. */
function takenIn(parts: Part[], language: Language): Taken {
  const taken: Taken = { names: new Set(), attributes: new Set() };
  const pending = [...parts];
  for (let part = pending.pop(); part; part = pending.pop()) {
    const uses = language === "python" ? pythonUses(part) : bracesUses(part);
    for (const name of [...uses.names, ...part.binds]) taken.names.add(name);
    for (const name of uses.attributes) taken.attributes.add(name);
    for (const inner of part.parts ?? []) pending.push(inner);
  }
  return taken;
}

function compared(before: Part[], after: Part[], around: Around): Found[] {
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

/** Each part of old in its order: the first that is the same and comes later. */
function matched(before: Part[], after: Part[]): { kept: Map<Part, Part>; lost: Part[] } {
  const places = placesOf(after);
  const kept = new Map<Part, Part>();
  const lost: Part[] = [];
  let from = 0;
  for (const part of before.filter(({ kind }) => kind !== "import")) {
    const left = places.get(`${part.kind} ${part.key}`);
    while (left && (left.at(-1) ?? from) < from) left.pop();
    const at = left?.pop();
    const same = at === undefined ? undefined : after[at];
    if (same && at !== undefined) {
      kept.set(part, same);
      from = at + 1;
    } else lost.push(part);
  }
  return { kept, lost };
}

/** Of each key, the last place first. */
function placesOf(parts: Part[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, part] of [...parts.entries()].reverse()) {
    const key = `${part.kind} ${part.key}`;
    const same = places.get(key);
    if (same) same.push(at);
    else places.set(key, [at]);
  }
  return places;
}

function lostWords(lost: Part[], after: Part[]): Found[] {
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
function lostImports(before: Part[], after: Part[]): Found[] {
  const now = new Set(after.flatMap(({ brings = [] }) => brings));
  return before
    .filter(({ brings = [] }) => brings.some((one) => !now.has(one)))
    .map(({ line, name }) => ({ line, message: `the import ${shown(name)} … was taken away or changed` }));
}

interface Imported {
  brings: Set<string>;
  binds: Set<string>;
}

function importedIn(parts: Part[]): Imported {
  const imports = parts.filter(({ kind }) => kind === "import");
  return {
    brings: new Set(imports.flatMap(({ brings = [] }) => brings)),
    binds: new Set(imports.flatMap(({ binds }) => binds)),
  };
}

interface Inserted extends Around {
  /** Names of parts that are told about already. */
  changed: Set<string>;
  imported: Imported;
}

function insertedWords(part: Part, around: Inserted): Found[] {
  const { language } = around;
  if (language === "python" && MAIN.test(part.key)) return [];
  const names = newMeanings(part, around);
  const again =
    names.length > 0
      ? [`it gives ${names.slice(0, 3).map(shown).join(", ")} another meaning, which accepted tests use`]
      : [];
  const messages = [...again, ...switchesIn(part.tokens, language), ...leaving(part, language)];
  const own = [...new Set(messages)].map((message) => ({ line: part.line, message: `new code: ${message}` }));
  const isClass = part.kind === "group" && language === "python";
  const inner = [...(part.inner ?? []), ...(part.parts ?? [])];
  return [...own, ...inner.flatMap((each) => insertedWords(each, { ...around, inClass: isClass }))];
}

/** What the part binds though accepted tests already mean something by it. An import may come again as it was. */
function newMeanings(part: Part, { taken, inClass, changed, imported }: Inserted): string[] {
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

/** Code that runs while the tests are being collected, and ends that. */
function leaving({ tokens, kind }: Part, language: Language): string[] {
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
