/** How given tests in JavaScript are started without what the run wrote for that: their runner, and plain options. Pure. */
import { isPlainConfig } from "./plain-config.ts";
import type { ScriptRunner } from "./script-runner.ts";

export interface PlainManifest {
  text: string;
  /** The test script that it has instead; undefined: none. */
  script?: string;
  /** Its runner is configured in it, in a way that is not plain. */
  isConfigured: boolean;
}

/** A package.json with our command in place of its test script. Undefined: it cannot be read. */
export function plainManifest(text: string, runner: ScriptRunner, paths: string[]): PlainManifest | undefined {
  const manifest = objectIn(text);
  if (!manifest) return undefined;
  const { pretest: _, test, posttest: __, ...others } = objectOf(manifest.scripts);
  const command = typeof test === "string" ? commandFor(runner, test, paths) : undefined;
  const scripts = { ...others, ...(command === undefined ? {} : { test: command }) };
  const configured = runner === "node" ? [] : [runner, "babel"].map((name) => manifest[name]);
  const isConfigured = configured.some((each) => each !== undefined && !isPlainConfig(JSON.stringify(each)));
  const kept = { ...manifest, scripts };
  return {
    text: `${JSON.stringify(kept, null, 2)}\n`,
    isConfigured,
    ...(command === undefined ? {} : { script: command }),
  };
}

function commandFor(runner: ScriptRunner, script: string, paths: string[]): string | undefined {
  const modules = /--experimental-vm-modules\b/.test(script) ? "NODE_OPTIONS=--experimental-vm-modules " : "";
  if (runner === "vitest") return "vitest run";
  if (runner === "jest") return `${modules}jest`;
  if (runner === "mocha") return `mocha ${paths.join(" ")}`;
  const options = [...script.matchAll(LOADERS)].map(([word]) => word.trim().replaceAll(/\s+/g, " "));
  // Node's own runner is what a package without a script gets.
  return options.length > 0 ? `node ${options.join(" ")} --test` : undefined;
}

/** They compile, or give the tests a page: packages, and no file of the project. */
const LOADERS =
  /(?<=\s)(?:--(?:import|require|loader|experimental-loader)[= ]|-r )(?:tsx(?:\/\w+)?|ts-node\/(?:register(?:\/[\w-]+)?|esm)|@swc-node\/register(?:\/\w+)?|global-jsdom\/register|jsdom-global\/register)(?=\s|$)|(?<=\s)--(?:experimental-(?:vm-modules|strip-types|transform-types|test-module-mocks|sqlite)|enable-source-maps|expose-gc)(?=\s|$)/g;

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}
