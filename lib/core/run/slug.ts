/** What a run is called: a short name out of its task, or one that was given. Pure. */
import { UserError } from "../errors.ts";
import { titleOf } from "../program/program.ts";
import { checkPath } from "../text/file-path.ts";

const SLUG_CHARS = 40;
const SLUG_WORDS = 4;

/** The first words of a text that say what it is about, in letters that every keyboard and system has. */
export function slugOf(text: string): string {
  const plain = titleOf(text)
    .normalize("NFKD")
    .replace(/[^\x20-\x7e]/g, "")
    .toLowerCase()
    .replaceAll("to-do", "todo");
  const isTelling = (word: string): boolean => !FILLERS.has(word);
  const choices = [wordsOf(plain.replace(GENERIC, " ")).filter(isTelling), wordsOf(plain).filter(isTelling)];
  const words = choices.find(({ length }) => length > 0) ?? wordsOf(plain);
  let slug = "";
  for (const word of words.slice(0, SLUG_WORDS)) {
    const longer = slug === "" ? word.slice(0, SLUG_CHARS) : `${slug}-${word}`;
    if (longer.length > SLUG_CHARS) break;
    slug = longer;
  }
  return isRunName(slug) ? slug : ownScriptSlug(text);
}

const OWN_SCRIPT_CHARS = 24;

/** Where no such letter is in it: the first words as they are written. */
function ownScriptSlug(text: string): string {
  const words =
    titleOf(text)
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
  const slug = [...words.slice(0, SLUG_WORDS).join("-")].slice(0, OWN_SCRIPT_CHARS).join("").replace(/-$/, "");
  return isRunName(slug) ? slug : "run";
}

const wordsOf = (text: string): string[] => text.split(/[^a-z0-9]+/).filter((word) => word !== "");

/** They say nothing of what a task is about. */
const FILLERS = new Set(
  (
    "a an the this that these those it its i we you they he she me us my our your their is are be am was were can could " +
    "should would will must may want wants need needs like please write build create make develop implement add give " +
    "of for with from in on at to into by as and or which who whose where when how what so very simple small new now then also next please just"
  ).split(" "),
);

/** What most tasks begin with: it tells none from another. */
const GENERIC =
  /\b(?:command[- ]line|(?:web|mobile|desktop)[- ]?(?:app|application|site)|(?:app|application|tool|program|script)s?)\b/g;

export const RUN_NAME_CHARS = 60;

/** It becomes a part of file names. */
export const isRunName = (name: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*$/u.test(name) && name.length <= RUN_NAME_CHARS && "path" in checkPath(name);

/** A name that the user gave. */
export function checkedName(name: string): string {
  if (isRunName(name)) return name;
  throw new UserError(
    `--name takes letters, digits, - _ and ., at most ${RUN_NAME_CHARS}; "${name}" is no such name.`,
    {
      exitCode: 2,
      remedy: `--name ${slugOf(name)}`,
    },
  );
}
