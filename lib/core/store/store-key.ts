/** Keys of the file store: relative paths with `/`, the same on every store. */

/** Keys are made by us, so a bad one is a bug; whatever path went into it must not lead out of the store. */
export function assertStoreKey(key: string): void {
  const wrong = whatIsWrong(key);
  if (wrong) throw new Error(`${JSON.stringify(key)} is not a key of the file store: ${wrong}.`);
}

function whatIsWrong(key: string): string | undefined {
  if (key.includes("\0")) return "it contains NUL";
  if (key.includes("\\")) return "it contains a backslash";
  if (!key.isWellFormed()) return "it is not well-formed Unicode";
  if (key.startsWith("/") || DRIVE.test(key)) return "it is absolute";
  const segments = key.split("/");
  if (segments.includes("")) return "it has an empty segment";
  if (segments.includes(".") || segments.includes("..")) return "it has a segment of dots";
  return undefined;
}

const DRIVE = /^[A-Za-z]:(\/|$)/;
