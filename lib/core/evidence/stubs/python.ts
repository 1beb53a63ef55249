/** Python with every function emptied, but for constructors and what must return a certain type. Pure. */
import { lex } from "../../text/lex.ts";
import { headerEnd, type LogicalLine, logicalLines } from "../../text/python-lines.ts";
import { python } from "../../text/source-languages.ts";
import { lineFeedsIn, replaceAll } from "./replace.ts";
import type { Replacement, StubbedText, StubValue } from "./stub-file.ts";

const VALUES: Record<StubValue, string> = {
  anything: '__import__("unittest.mock").mock.MagicMock()',
  nothing: "None",
  text: '""',
};

/** They make the object that the interface is made of. */
const KEPT = new Set([
  "__init__",
  "__new__",
  "__post_init__",
  "__init_subclass__",
  "__set_name__",
  "__hash__",
  "__repr__",
]);
/** Python itself insists on the type of these. */
const FIXED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{
      __str__: '""',
      __format__: '""',
      __len__: "0",
      __bool__: "False",
      __contains__: "False",
      __iter__: "iter(())",
    },
    __eq__: "False",
    __ne__: "True",
    __lt__: "False",
    __le__: "False",
    __gt__: "False",
    __ge__: "False",
  }),
);

export function stubPython(text: string, value: StubValue): StubbedText {
  const lines = logicalLines(lex(text, python.shape));
  const parts = lines.flatMap((line, at): Replacement[] => {
    const name = functionName(line);
    if (name === undefined || KEPT.has(name) || line.within.some((outer) => functionName(outer) !== undefined))
      return [];
    const colon = line.tokens[headerEnd(line.tokens)];
    if (!colon) return [];
    let last = line;
    for (let next = at + 1; (lines[next]?.indent ?? -1) > line.indent; next += 1) last = lines[next] ?? last;
    const end = endOf(last);
    const start = colon.start + 1;
    return [{ start, end, text: ` return ${FIXED.get(name) ?? VALUES[value]}${lineFeedsIn(text.slice(start, end))}` }];
  });
  return { text: replaceAll(text, parts), bodies: parts.length };
}

export function endOf({ tokens }: Pick<LogicalLine, "tokens">): number {
  const last = tokens.at(-1);
  return last ? last.start + last.text.length : 0;
}

export function functionName({ tokens }: LogicalLine): string | undefined {
  const start = tokens[0]?.text === "async" ? 1 : 0;
  return tokens[start]?.text === "def" ? tokens[start + 1]?.text : undefined;
}
