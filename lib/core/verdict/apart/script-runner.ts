/** Which runner given tests in JavaScript are for. Pure. */

export interface ScriptFile {
  path: string;
  text: string;
}

export type ScriptRunner = "node" | "vitest" | "jest" | "mocha";

/** By what the given tests import, else by what the packages declare. */
export function runnerOf(tests: ScriptFile[], manifests: string[]): ScriptRunner | undefined {
  const own = new Set(tests.map(({ text }) => IMPORTED.find(([, pattern]) => pattern.test(text))?.[0]));
  own.delete(undefined);
  if (own.size > 0) return own.size === 1 ? [...own][0] : undefined;
  const declared = manifests.flatMap((text) =>
    (["vitest", "jest", "mocha"] as const).filter((name) => has(text, name)),
  );
  const [first, ...more] = new Set(declared);
  return more.length > 0 ? undefined : (first ?? "node");
}

const IMPORTED: [ScriptRunner, RegExp][] = [
  ["node", /["']node:test["']/],
  ["vitest", /["']vitest["']/],
  ["jest", /["']@jest\/globals["']/],
  ["mocha", /["']mocha["']/],
];
const has = (manifest: string, name: string): boolean =>
  new RegExp(`"${name}"\\s*:|\\b${name}\\b[^"]*"`).test(manifest);
