/** A source file with its interface kept and its functions emptied: what a check must notice. Pure. */
import { javascript, python } from "../../text/source-languages.ts";
import { stubJavascript } from "./javascript.ts";
import { stubPython } from "./python.ts";

/** What the stubs return: a value that takes any use, nothing at all, or an empty text. */
export const STUB_VALUES = ["anything", "nothing", "text"] as const;
export type StubValue = (typeof STUB_VALUES)[number];

export interface StubbedText {
  text: string;
  /** So many functions were replaced. */
  bodies: number;
}

/** A part of a text, and what comes in its place. */
export interface Replacement {
  start: number;
  end: number;
  text: string;
}

export const STUB_LANGUAGES = "JavaScript, TypeScript or Python";

const endingOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";

export const isPython = (path: string): boolean => python.extensions.includes(endingOf(path));
export const isTyped = (path: string): boolean => /^[cm]?tsx?$/.test(endingOf(path));

/** Whether stubs can be made of files of this name. */
export const canStub = (path: string): boolean =>
  !/\.d\.[cm]?ts$/.test(path) && [javascript, python].some(({ extensions }) => extensions.includes(endingOf(path)));

/** Undefined: it has no function to replace. */
export function stubFile(path: string, text: string, value: StubValue): StubbedText | undefined {
  const stubbed = isPython(path) ? stubPython(text, value) : stubJavascript(text, { value, isTyped: isTyped(path) });
  return stubbed.bodies > 0 ? stubbed : undefined;
}
