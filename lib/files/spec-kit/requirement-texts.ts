/** The requirements that lie beside a task list, in `spec.md`. Pure. */
import { oneLine } from "../../core/program/program-item.ts";

const NAMED = /^[ \t]*[-*+][ \t]+\*{0,2}((?:N?FR)-\d{1,4}[a-z]?)\*{0,2}[:.)]?\*{0,2}[ \t]*(\S.*)$/;

/** By the names that task lists use: `FR-003`. */
export const requirementTexts = (text: string): Map<string, string> =>
  new Map(
    text.split(/\r\n|\r|\n/).flatMap((line): [string, string][] => {
      const [, name, asked] = NAMED.exec(line) ?? [];
      return name === undefined || asked === undefined ? [] : [[name, oneLine(asked)]];
    }),
  );

/** `FR-003` is R3; `NFR-1` has no number of its own. */
export function requirementId(name: string): string | undefined {
  const number = /^FR-(\d+)$/.exec(name)?.[1];
  return number && `R${Number(number)}`;
}
