/** Where something is in a program: a path into its data, and the line and column in its file. Pure. */

export type Path = readonly (string | number)[];

/** Both count from 1. */
export interface Position {
  line: number;
  column: number;
}

export interface Finding {
  severity: "error" | "warning";
  path: Path;
  place?: Position;
  /** Of a program that is called. Absent: the program itself. */
  file?: string;
  /** What is wrong, without the place. */
  message: string;
  /** What to write instead. */
  remedy?: string;
}

/** A program as a notation reads it: data as in JSON, and where each part is. */
export interface ProgramSource {
  data: unknown;
  placeOf: (path: Path) => Position | undefined;
}

export const errorAt = (path: Path, message: string, remedy?: string): Finding => ({
  severity: "error",
  path,
  message,
  ...(remedy === undefined ? {} : { remedy }),
});

export const warningAt = (path: Path, message: string, remedy?: string): Finding => ({
  ...errorAt(path, message, remedy),
  severity: "warning",
});

/** `instruction 3, then 1, condition`, for programs that are in no file. */
export function pathInWords([first, index, ...rest]: Path): string {
  if (first === undefined) return "the program";
  if (typeof index !== "number") return [first, index, ...rest].filter((part) => part !== undefined).join(".");
  const words = [`${first === "instructions" ? "instruction" : first} ${index + 1}`];
  for (const part of rest) {
    if (typeof part === "string") words.push(part);
    else words.push(`${words.pop()} ${part + 1}`);
  }
  return words.join(", ");
}

export const placeInWords = ({ place, path }: Pick<Finding, "place" | "path">): string =>
  place ? `line ${place.line}, column ${place.column}` : pathInWords(path);

export function inWords(finding: Finding): string {
  const { place, path, message, remedy, file } = finding;
  const where = `${file ? `in ${file}, ` : ""}${place || path.length > 0 ? `${placeInWords(finding)}: ` : ""}`;
  return `${where}${message}${remedy ? ` ${remedy}` : ""}`;
}

/** Those whose place is known get it: their own, or that of the part around them. */
export const placed = (findings: Finding[], placeOf: ProgramSource["placeOf"]): Finding[] =>
  findings.map((finding) => {
    if (finding.place || finding.file !== undefined) return finding;
    const place = placeOf(finding.path);
    return place ? { ...finding, place } : finding;
  });

/** Looks places up by path; the longest known beginning of a path counts. */
export function createPlaces() {
  const places = new Map<string, Position>();
  const keyOf = (path: Path): string => JSON.stringify(path);
  return {
    set: (path: Path, place: Position): void => void places.set(keyOf(path), place),
    placeOf: (path: Path): Position | undefined => {
      for (let length = path.length; length >= 0; length -= 1) {
        const place = places.get(keyOf(path.slice(0, length)));
        if (place) return place;
      }
      return undefined;
    },
  };
}
