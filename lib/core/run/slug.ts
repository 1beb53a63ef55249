/** What a run is called: a short name out of its task, or one that was given. Pure. */
import { UserError } from "../errors.ts";
import { titleOf } from "../program/program.ts";
import { checkPath } from "../text/file-path.ts";

const SLUG_CHARS = 40;
const SLUG_WORDS = 4;

/** The first words of a text, in letters that every system can store. */
export function slugOf(text: string): string {
  const plain = titleOf(text)
    .normalize("NFKD")
    .replace(/[^\x20-\x7e]/g, "")
    .toLowerCase();
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== "" && !FILLERS.has(word));
  let slug = "";
  for (const word of words.slice(0, SLUG_WORDS)) {
    const longer = slug === "" ? word.slice(0, SLUG_CHARS) : `${slug}-${word}`;
    if (longer.length > SLUG_CHARS) break;
    slug = longer;
  }
  return "path" in checkPath(slug) ? slug : "run";
}

const FILLERS = new Set(["a", "an", "the", "please", "write", "build", "create", "make", "me", "of", "for", "with"]);

export const RUN_NAME_CHARS = 60;

/** It becomes a part of file names. */
export const isRunName = (name: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name) && name.length <= RUN_NAME_CHARS && "path" in checkPath(name);

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
