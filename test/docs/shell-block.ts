/** The shell blocks of the README and of docs/, each with the name by which the tests know it. */
import { blocksOf, pages } from "./pages.ts";

export interface ShellBlock {
  /** `docs/runs.md: Look at runs`; the second block of a section has ` 2` behind it. */
  name: string;
  page: string;
  line: number;
  code: string;
}

export const shellBlocks: ShellBlock[] = pages.flatMap((page) => {
  const counts = new Map<string, number>();
  return blocksOf(page, "(?:sh|bash|shell|console)").map(({ line, code }) => {
    const heading = headingBefore(page.text, line);
    const count = (counts.get(heading) ?? 0) + 1;
    counts.set(heading, count);
    return { name: `${page.path}: ${heading}${count > 1 ? ` ${count}` : ""}`, page: page.path, line, code };
  });
});

function headingBefore(text: string, line: number): string {
  const before = text.split("\n").slice(0, line - 1);
  return before.findLast((each) => /^#{1,4} /.test(each))?.replace(/^#+ /, "") ?? "";
}

/** What a reader fills in, in the order in which it occurs; the last value serves for all that follow. */
export type Filling = Record<string, string | string[]>;

/** The block as a reader types it: with an own key for each `…`, an own run for `<run>`. */
export function filledIn(code: string, filling: Filling): string {
  let text = code;
  for (const [placeholder, value] of Object.entries(filling)) {
    const values = [value].flat();
    let used = 0;
    text = text.replaceAll(placeholder, () => values[Math.min(used++, values.length - 1)] ?? "");
  }
  return text;
}
