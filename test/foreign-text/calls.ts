/** What tests call in a thread of its own. */
import { parseIni } from "../../lib/evaluator/languages/python/ini.ts";
import type { PythonManifests } from "../../lib/evaluator/languages/python/python-metadata.ts";
import { toxEnvironment } from "../../lib/evaluator/languages/python/tox.ts";
import { createCapture } from "../../lib/evaluator/process/capture.ts";

/** The thread must be able to end it. */
export const matchForever = (): boolean => new RegExp(`^(a|a)+${"$"}`).test(`${"a".repeat(60)}b`);

export function capturedText(bytes: Uint8Array): string {
  const capture = createCapture(bytes.length);
  capture.push(Buffer.from(bytes));
  return capture.text();
}

/** With nothing but a tox.ini. */
export const readTox = (text: string): unknown => toxEnvironment({ tox: parseIni(text) } as PythonManifests);
