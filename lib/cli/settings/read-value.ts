/** Values as people type them, in flags and in the environment: the value, or what would be one. Pure. */

import { Approve, type Domain, OnStuck } from "../../core/run/run.ts";
import { EXPECTED_MODELS, modelList } from "../../core/turn/model-list.ts";
import type { Price } from "../../core/turn/model-profile.ts";
import { isToolName, TOOL_NAMES } from "../../core/turn/tool-name.ts";

export type Read<Value> = { value: Value } | { expected: string };
export type Reader<Value> = (text: string) => Read<Value>;

export const text: Reader<string> = (given) =>
  given.trim() === "" ? { expected: "a text that is not empty" } : { value: given.trim() };

/** One, or several that stand in for each other. */
export const modelNames: Reader<string> = (given) => {
  const names = modelList(given);
  return names ? { value: names.join(",") } : { expected: EXPECTED_MODELS };
};

export const wholeNumber =
  (least: number, most = Number.MAX_SAFE_INTEGER): Reader<number> =>
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

export const positive: Reader<number> = (given) => {
  const value = amount(given.replace(/^\$/, ""));
  return value !== undefined && value > 0 ? { value } : { expected: "a number above 0, such as 2.50" };
};

export const price: Reader<Price> = (given) => {
  const [input, output, ...rest] = given.split(",").map((each) => amount(each.trim()));
  return input === undefined || output === undefined || rest.length > 0
    ? { expected: "two numbers, such as 0.25,2 (US dollars per million tokens, input and output)" }
    : { value: { input, output } };
};

export const onOff: Reader<boolean> = (given) => {
  if (/^(1|true|yes|on)?$/i.test(given)) return { value: true };
  return /^(0|false|no|off)$/i.test(given) ? { value: false } : { expected: "1 or 0" };
};

/** Of a flag or variable that says no. */
export const offOn: Reader<boolean> = (given) => {
  const read = onOff(given);
  return "value" in read ? { value: !read.value } : read;
};

const DOMAINS: readonly Domain[] = ["codebase", "book", "custom"];
export const domain: Reader<Domain> = (given) => {
  const value = DOMAINS.find((known) => known === given.trim());
  return value ? { value } : { expected: `one of ${DOMAINS.join(", ")}` };
};

export const onTrap: Reader<OnStuck> = (given) => {
  const value = OnStuck.safeParse(given.trim());
  return value.success ? { value: value.data } : { expected: `one of ${OnStuck.options.join(", ")}` };
};

export const approve: Reader<Approve> = (given) => {
  const value = Approve.safeParse(given.trim());
  return value.success ? { value: value.data } : { expected: `one of ${Approve.options.join(", ")}` };
};

export const toolNames: Reader<string[]> = (given) => {
  const value = given
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  const offered = TOOL_NAMES.filter((name) => name !== "write_program");
  return value.length > 0 && value.every((name) => isToolName(name) && name !== "write_program")
    ? { value }
    : { expected: `names with commas between them, of ${offered.join(", ")}` };
};

const amount = (given: string): number | undefined =>
  /^\d+(\.\d+)?$|^\.\d+$/.test(given.trim()) ? Number(given) : undefined;
