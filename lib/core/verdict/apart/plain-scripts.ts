/** How given tests in JavaScript are started without what the run wrote for that: their runner, and plain options. Pure. */
import { lex } from "../../text/lex.ts";
import { javascript } from "../../text/source-languages.ts";

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

/** A configuration that only says where code is, what compiles it, and in what surroundings it runs. */
export function isPlainConfig(text: string): boolean {
  return lex(text, javascript.shape).every(({ kind, text: part }) => {
    if (kind === "word") return WORDS.test(part);
    if (kind === "string") return isPlainString(part.slice(1, -1));
    return kind !== "broken";
  });
}

const WORDS =
  /^(?:import|from|export|default|const|config|type|as|defineConfig|defineProject|module|exports|test|environment|globals|include|exclude|dir|root|testTimeout|hookTimeout|coverage|provider|reporter|reporters|watch|pool|passWithNoTests|plugins|react|vue|svelte|tsconfigPaths|preset|transform|extensionsToTreatAsEsm|moduleFileExtensions|testEnvironment|testMatch|roots|rootDir|verbose|clearMocks|restoreMocks|mockReset|useESM|esModuleInterop|presets|targets|node|current|runtime|automatic|Config|true|false|null|\d+)$/;
const isPlainString = (text: string): boolean =>
  !/^(?:\.|\/|<rootDir>|file:)/.test(text) ||
  /^(?:\.{1,2}|<rootDir>)?\/?(?:src|lib|app|tests?|__tests__)?(?:\/\*.*)?$/.test(text);

/** Files by which runners and what compiles for them are configured. */
export const CONFIG_FILE = /^(?:(?:vitest|vite|jest|babel)\.(?:config|workspace)\..+|\.babelrc(?:\..+)?|\.swcrc)$/;

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}
