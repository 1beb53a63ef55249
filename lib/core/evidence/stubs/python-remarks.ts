/** What makes the text of Python another, and changes nothing of what it does. Pure. */
import { lex } from "../../text/lex.ts";
import { type LogicalLine, logicalLines } from "../../text/python-lines.ts";
import { python } from "../../text/source-languages.ts";
import { endOf, functionName } from "./python.ts";
import type { Replacement } from "./stub-file.ts";

/** A remark before each line of a function, and a blank more between the tokens of a line. */
export function pythonRemarks(text: string): Replacement[] {
  const tokens = lex(text, python.shape);
  if (tokens.some(({ kind }) => kind === "broken")) return [];
  const lines = logicalLines(tokens);
  const remarks = lines.filter(isInFunction).map(({ tokens: [first], indent }) => {
    const start = (first?.start ?? 0) - indent;
    return { start, end: start, text: `${text.slice(start, start + indent)}#\n` };
  });
  return [...remarks, ...lines.flatMap((line) => blanks(text, line))];
}

const isInFunction = ({ within }: LogicalLine): boolean => within.some((outer) => functionName(outer) !== undefined);

const blanks = (text: string, { tokens }: LogicalLine): Replacement[] =>
  tokens.slice(1).flatMap((token, at) => {
    const start = endOf({ tokens: tokens.slice(at, at + 1) });
    return /^ +$/.test(text.slice(start, token.start)) ? [{ start, end: start, text: " " }] : [];
  });
