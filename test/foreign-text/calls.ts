/** What tests call in a thread of its own. */
import { parseIni } from "../../lib/evaluator/languages/python/ini.ts";
import { toxEnvironment } from "../../lib/evaluator/languages/python/tox.ts";
import { createCapture } from "../../lib/evaluator/process/capture.ts";

/** The thread must be able to end it. */
export const matchForever = (): boolean => new RegExp(`^(a|a)+${"$"}`).test(`${"a".repeat(60)}b`);

export function capturedText(bytes: Uint8Array): string {
  const capture = createCapture(bytes.length);
  capture.push(Buffer.from(bytes));
  return capture.text();
}

const NOTHING = { pyproject: {}, setupCfg: undefined, setupPy: undefined, pkgInfo: undefined, refused: [] };

export const readTox = (text: string): unknown =>
  toxEnvironment({ ...NOTHING, tox: parseIni(text), read: async () => "" });
