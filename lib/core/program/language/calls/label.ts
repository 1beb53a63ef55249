/** What a call is named by in addresses and titles. Pure. */

/** Of the file's name, or of the hash. */
const LABEL_CHARS = 40;

export function callLabel(program: string): string {
  const hash = hashIn(program);
  if (hash !== undefined) return hash.slice(0, 8);
  const name = program.split("/").at(-1) ?? "";
  const label = name.replace(PROGRAM_FILE, "").replace(/[^A-Za-z0-9_-]/g, "-");
  return label.slice(0, LABEL_CHARS) || "program";
}

export const PROGRAM_FILE = /\.(?:md|markdown|ya?ml|json)$/i;

/** Of `sha256:` and the hash of a file. */
export const hashIn = (program: string): string | undefined => /^sha256:([\da-f]{64})$/.exec(program)?.[1];

/** By its name or its hash: where the program that calls it is does not matter. */
export const isFoundByName = (program: string): boolean => hashIn(program) !== undefined || isProgramName(program);

/** A name is looked up in the folders of programs; anything else is the path of a file, or a hash. */
export const isProgramName = (program: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(program) && !PROGRAM_FILE.test(program);
