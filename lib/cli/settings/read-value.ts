/** Reads the text of a flag or variable by the type of its option: the value, or what was expected. Pure. */
import * as z from "zod";

export type Read<Value> = { value: Value } | { expected: string };
export type Reader<Value> = (text: string) => Read<Value>;

export function readValue(type: z.ZodType, text: string): Read<unknown> {
  const read = readerOf(type)(text);
  if (!("value" in read)) return read;
  const checked = type.safeParse(read.value);
  if (checked.success) return { value: checked.data };
  const [issue] = checked.error.issues;
  return { expected: issue ? expectedBy(issue) : "something else" };
}

const expectedBy = (issue: z.core.$ZodIssue): string =>
  issue.code === "too_big" ? `at most ${issue.maximum} characters` : issue.message.replace(/^.*?expected /, "");

function readerOf(type: z.ZodType): Reader<unknown> {
  if (type instanceof z.ZodBoolean) return onOff;
  if (type instanceof z.ZodString) return text;
  if (type instanceof z.ZodEnum) return oneOf(type.options.map(String));
  if (type instanceof z.ZodObject) return amounts(requiredKeys(type));
  if (type instanceof z.ZodArray && type.element instanceof z.ZodEnum) return listOf(type.element.options.map(String));
  if (type instanceof z.ZodNumber && !type.format) return amountOf(type);
  if (type instanceof z.ZodNumber) return wholeNumber(type.minValue ?? undefined, type.maxValue ?? undefined);
  throw new Error(`No text is read as ${type.type}.`);
}

const text: Reader<string> = (given) =>
  given.trim() === "" ? { expected: "a text that is not empty" } : { value: given.trim() };

export const wholeNumber =
  (least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): Reader<number> =>
  (given) => {
    const value = /^[+-]?\d+$/.test(given.trim()) ? Number(given) : Number.NaN;
    if (value >= least && value <= most) return { value };
    if (least === Number.MIN_SAFE_INTEGER) return { expected: "a whole number" };
    return {
      expected:
        most === Number.MAX_SAFE_INTEGER
          ? `a whole number from ${least} on`
          : `a whole number from ${least} to ${most}`,
    };
  };

const amountOf =
  (type: z.ZodNumber): Reader<number> =>
  (given) => {
    const value = amount(given.replace(/^\$/, ""));
    return value !== undefined && type.safeParse(value).success ? { value } : { expected: boundsOf(type) };
  };

function boundsOf(type: z.ZodNumber): string {
  const { minValue: least, maxValue: most } = type;
  if (most !== null && Number.isFinite(most)) return `a number from ${least} to ${most}`;
  return `a number ${type.safeParse(0).success ? "from 0 on" : "above 0"}, such as 2.50`;
}

/** One number for each key, with commas between them. */
const amounts =
  (keys: string[]): Reader<Record<string, number>> =>
  (given) => {
    const values = given.split(",").map((each) => amount(each.trim()));
    return values.length === keys.length && values.every((value) => value !== undefined)
      ? { value: Object.fromEntries(keys.map((key, at) => [key, values[at] ?? 0])) }
      : { expected: `${keys.length === 2 ? "two" : keys.length} numbers, such as 0.25,2 (${keys.join(" and ")})` };
  };

const requiredKeys = ({ shape }: z.ZodObject): string[] =>
  Object.entries(shape).flatMap(([key, type]) => (type instanceof z.ZodOptional ? [] : [key]));

const onOff: Reader<boolean> = (given) => {
  if (/^(1|true|yes|on)?$/i.test(given)) return { value: true };
  return /^(0|false|no|off)$/i.test(given) ? { value: false } : { expected: "1 or 0" };
};

const oneOf =
  (options: string[]): Reader<string> =>
  (given) =>
    options.includes(given.trim()) ? { value: given.trim() } : { expected: `one of ${options.join(", ")}` };

const listOf =
  (options: string[]): Reader<string[]> =>
  (given) => {
    const names = given.split(",").map((name) => name.trim());
    const value = names.filter((name) => name !== "");
    return value.length > 0 && value.every((name) => options.includes(name))
      ? { value }
      : { expected: `names with commas between them, of ${options.join(", ")}` };
  };

const amount = (given: string): number | undefined =>
  /^\d+(\.\d+)?$|^\.\d+$/.test(given.trim()) ? Number(given) : undefined;
