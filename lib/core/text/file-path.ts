/** A path is a promise: relative, inside the run, and the same file on every computer. Pure. */
import { PATH_BYTES, PATH_SEGMENT_BYTES } from "../limits.ts";
import { byteLength } from "./file-text.ts";

export type CheckedPath = { path: string } | { problem: string };

/** The path as the run knows it, or what is wrong with it, in words for the model. */
export function checkPath(raw: string): CheckedPath {
  if (raw.length > 4 * PATH_BYTES || !raw.isWellFormed()) return refused(raw, TOO_LONG_OR_BROKEN);
  const given = raw.normalize("NFC");
  const problem = problemOfWhole(given);
  if (problem) return refused(raw, problem);

  const segments = given.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.length === 0) return refused(raw, "names no file");
  for (const segment of segments) {
    const wrong = problemOfSegment(segment);
    if (wrong) return refused(raw, wrong);
  }
  const path = segments.join("/");
  // What stood before it may have hidden it: ./~ is ~.
  if (NOT_RELATIVE.test(path)) return refused(raw, BE_RELATIVE);
  // The folded form is a key of the registry, and folding can lengthen.
  if (byteLength(path) > PATH_BYTES || byteLength(foldPath(path)) > PATH_BYTES) return refused(raw, TOO_LONG);
  return { path };
}

/**
 * The form that is equal for paths which some file system takes for the same: NFC, without case. Lower, upper and
 * lower again is Unicode's full folding (ß, ẞ and SS become ss, ﬁ becomes fi); a final sigma is a sigma, so that the
 * beginning of a name folds the same at any length. It folds a little more than any one system does (ı becomes i),
 * which at worst refuses a second name.
 */
export const foldPath = (path: string): string =>
  path.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFC");

/** The folders a path lies in, outermost first: none of them may be a file. */
export function parentsOf(path: string): string[] {
  const segments = path.split("/").slice(0, -1);
  return segments.map((_, depth) => segments.slice(0, depth + 1).join("/"));
}

const TOO_LONG = `is too long: at most ${PATH_BYTES} bytes`;
const TOO_LONG_OR_BROKEN = `is too long (at most ${PATH_BYTES} bytes) or holds half a character`;

const NOT_RELATIVE = /^(?:[/\\~]|[a-z]:)/i;
const BE_RELATIVE = "is not relative: begin with a folder or file name, such as src/main.py";

function problemOfWhole(path: string): string | undefined {
  if (NOT_RELATIVE.test(path)) return BE_RELATIVE;
  if (path.includes("\\")) return "holds a backslash: write / between folders";
  if (/[<>:"|?*]/.test(path)) return 'holds one of < > : " | ? *, which not every system can store';
  // Unassigned characters are out too: how they fold is not settled yet.
  if (/[\p{Cc}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u.test(path)) return "holds an invisible character";
  if (/(?:^|\/)\.?$/.test(path) && path !== "" && path !== ".") return "names a folder: give the path of a file";
  return undefined;
}

function problemOfSegment(segment: string): string | undefined {
  if (segment === "..") return "leaves the run: write the path from its top folder, without ..";
  if (/[. ]$/.test(segment) || segment.startsWith(" "))
    return "has a name that begins with a space or ends with a space or dot";
  if (isReserved(segment)) return `holds ${quoted(segment)}, a name that Windows keeps for devices`;
  if (/^(?:\.git|git~\d+)$/.test(foldPath(segment))) return "lies in .git, which is not part of the run";
  if (byteLength(segment) > PATH_SEGMENT_BYTES) return `has a name longer than ${PATH_SEGMENT_BYTES} bytes`;
  return undefined;
}

/** Devices are reserved with any extension, and with spaces before it. */
const isReserved = (segment: string): boolean =>
  /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i.test(segment);

const refused = (raw: string, problem: string): CheckedPath => ({ problem: `${quoted(raw)} ${problem}` });

/** Shown so that what is invisible can be seen. */
const quoted = (text: string): string =>
  JSON.stringify(text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text).replace(
    /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

/** Of a refused path, enough to know it again. */
const SHOWN_CHARS = 100;
