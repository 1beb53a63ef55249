/** The marks of an item in Markdown, in braces after its title: `{#tests .repeat atMost=5 until={"tests":true}}`. Pure. */

export interface Marks {
  id?: string;
  kind?: string;
  fields: Record<string, unknown>;
  /** How far into the text each field begins. */
  offsets: Record<string, number>;
}

export interface MarkProblem {
  problem: string;
  offset: number;
}

/** The beginning of what is in braces up to the end of its line: one of the three forms; other braces are text. */
export const MARKS = /\{(?:[#.][A-Za-z0-9]|[A-Za-z]+=)/;

/** What is written in other ways: as the title, the text below it, or the list inside. */
const ELSEWHERE = new Set([
  ...["id", "kind", "title", "text", "question", "requirements", "words"],
  ...["body", "then", "else"],
]);
const LISTS = new Set(["needs", "choices"]);
const TEXTS = new Set(["program", "as", "saveTo", "otherwise"]);

/** `text`: with its braces. */
export function readMarks(text: string): Marks | MarkProblem {
  const marks: Marks = { fields: {}, offsets: {} };
  const end = text.length - 1;
  let at = 1;
  while (at < end) {
    if (/[\s,;]/.test(text[at] ?? "")) {
      at += 1;
      continue;
    }
    const length = valueEnd(text, at) - at;
    const problem = takeMark(marks, text.slice(at, at + length), at);
    if (problem) return { problem, offset: at };
    at += length;
  }
  return marks;
}

/** To the next space outside quotes and brackets. */
function valueEnd(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length - 1; at += 1) {
    const character = text[at] ?? "";
    if (quoted) {
      if (character === "\\") at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if ("[{".includes(character)) depth += 1;
    else if ("]}".includes(character)) depth -= 1;
    else if (depth === 0 && /\s/.test(character)) return at;
  }
  return text.length - 1;
}

function takeMark(marks: Marks, mark: string, offset: number): string | undefined {
  const sign = mark[0];
  if (sign === "#" || sign === ".") {
    const name = sign === "#" ? "id" : "kind";
    if (marks[name] !== undefined) return `it has two ${sign === "#" ? "ids" : "kinds"}.`;
    marks[name] = mark.slice(1);
    marks.offsets[name] = offset;
    return undefined;
  }
  const [, field, value = ""] = /^([A-Za-z]+)=(.*)$/s.exec(mark) ?? [];
  if (field === undefined) return `\`${mark.slice(0, 80)}\` is no mark: they are #id, .kind and field=value.`;
  if (ELSEWHERE.has(field)) return `\`${field}\` is not written in braces: ${ELSEWHERE_WORDS}.`;
  if (Object.hasOwn(marks.fields, field)) return `\`${field}\` is there twice.`;
  const read = readValue(field, value);
  if (read === undefined) return `the value of \`${field}\` is neither a word nor JSON.`;
  marks.fields[field] = read;
  marks.offsets[field] = offset;
  return undefined;
}

const ELSEWHERE_WORDS =
  "an id is #id, a kind is .kind, a title is bold, a text goes below it, requirements are in parentheses, and instructions inside are a list below";

function readValue(field: string, value: string): unknown {
  const isWord = !/^["[{]/.test(value);
  if (isWord && LISTS.has(field)) return value.split(",").filter(Boolean);
  if (isWord && (TEXTS.has(field) || !/^(?:-?\d|true$|false$|null$)/.test(value)))
    return value === "" ? undefined : value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** What `readMarks` reads back. Empty: there is nothing to say. */
export function renderMarks({ id, kind, fields }: Omit<Marks, "offsets">): string {
  const marks = [
    ...(id === undefined ? [] : [`#${id}`]),
    ...(kind === undefined ? [] : [`.${kind}`]),
    ...Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => `${field}=${renderValue(field, value)}`),
  ];
  return marks.length > 0 ? `{${marks.join(" ")}}` : "";
}

const WORD = /^[A-Za-z0-9._/-]+$/;

function renderValue(field: string, value: unknown): string {
  const isWord = (each: unknown): each is string => typeof each === "string" && WORD.test(each);
  if (LISTS.has(field) && Array.isArray(value) && value.length > 0 && value.every(isWord)) return value.join(",");
  if (TEXTS.has(field) && isWord(value)) return value;
  return JSON.stringify(value);
}
