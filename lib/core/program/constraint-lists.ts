/** Which lists of a task limit how it is done, or say what is not asked for: these are no requirements. Pure. */
import type { ListItem } from "./list-items.ts";

/** As the whole of a heading, or of the line that introduces a list. */
const CONSTRAINT =
  /^(?:(?:explicitly )?(?:out of|not in|outside (?:of )?) ?(?:the )?scope|(?:is|are) out of scope|non-?\s?goals?|not (?:needed|required|wanted|included|part of (?:this|it|the project))|exclusions|(?:explicitly )?excluded|(?:tech(?:nology|nical)?|technology|software) stack|stack|technolog(?:y|ies)(?: (?:used|to use))?|(?:technical |general |hard )?(?:constraints?|limitations?|restrictions?))$/i;
const ENDS_OUT = /\b(?:is|are)(?: all| explicitly)? out of (?:the )?scope$/i;

/** Marks, numbers and what is in parentheses are no part of it. */
const plain = (line: string): string =>
  line
    .replace(/\([^()]*\)/g, "")
    .replace(/[*_`#:]/g, "")
    .replace(/^\s*\d+(?:\.\d+)*[.)]?\s+/, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/(?<![.–—-])[.–—-]+$/, "")
    .trim();

export const saysConstraint = (line: string): boolean =>
  line.length <= 120 && (CONSTRAINT.test(plain(line)) || ENDS_OUT.test(plain(line)));

/** An item with a label (`R1`) says of itself that it is a requirement. */
export function isConstraint({ mark, under, lines, children }: ListItem): boolean {
  if (mark.kind === "label" || children.some((child) => child.mark.kind === "label")) return false;
  return under.some(saysConstraint) || (children.length > 0 && saysConstraint(lines.join(" ")));
}
