/** What a package.json says about tests: its scripts around `npm test`, and the settings of runners in it. Pure. */
import type { Locked, TestChange } from "../locked-tests.ts";
import type { TestFinding } from "./extended.ts";
import { covers } from "./places.ts";
import { chosen } from "./runner-options.ts";

const SCRIPTS = ["pretest", "test", "posttest"];
const RUNNERS = ["jest", "vitest", "mocha", "ava", "tap", "nyc", "c8"];

export function weakenedManifest({ before, after }: TestChange, { tests }: Locked): TestFinding[] {
  const old = manifestIn(before);
  const now = manifestIn(after);
  if (before !== undefined && old === undefined) return []; // What was no JSON decided nothing.
  if (now === undefined)
    return SCRIPTS.some((name) => scriptIn(old, name)) || RUNNERS.some((name) => old?.[name] !== undefined)
      ? [{ message: "the settings of the tests were deleted, or cannot be read" }]
      : [];
  return [
    ...SCRIPTS.flatMap((name) => scriptWords(name, scriptIn(old, name), { now: scriptIn(now, name), tests })),
    ...RUNNERS.flatMap((name) => runnerWords(name, { old: old?.[name], now: now[name] }, tests)),
  ];
}

function manifestIn(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function scriptIn(manifest: Record<string, unknown> | undefined, name: string): string | undefined {
  const scripts: unknown = manifest?.scripts;
  const script: unknown =
    typeof scripts === "object" && scripts !== null
      ? Object.entries(scripts).find(([key]) => key === name)?.[1]
      : undefined;
  return typeof script === "string" && script.trim() !== "" && !script.includes("no test specified")
    ? script.trim()
    : undefined;
}

function scriptWords(
  name: string,
  old: string | undefined,
  { now, tests }: { now: string | undefined; tests: Locked["tests"] },
): TestFinding[] {
  if (old === now || (name !== "test" && now === undefined)) return [];
  if (old !== undefined) return [{ message: `the script ${name} of package.json was changed or taken away` }];
  if (now === undefined || (name === "test" && runsAll(now, tests)) || (name !== "test" && BUILDS.test(now))) return [];
  return [{ message: `the new script ${name} of package.json may not run every test` }];
}

const RUNNER =
  /^(?:cross-env )?(?:NODE_OPTIONS=["']?--experimental-vm-modules["']? |(?!NODE_OPTIONS|L2MAC)\w+=[\w.-]* )*(?:npx |c8 |nyc |tsx )*(?:node (?:--import[ =]\S+ |--experimental-[\w-]+ |--enable-source-maps |--no-warnings )*(?:--test(?: --experimental-[\w-]+)*|(?:\.\/)?node_modules\/(?:\.bin\/|jest\/bin\/|mocha\/bin\/|vitest\/)(?:jest|mocha|_mocha|vitest)(?:\.m?js)?(?: run)?)|(?:(?:\.\/)?node_modules\/\.bin\/)?(?:vitest(?: run| --run)?|jest|mocha|ava|tap))(?= |$)(.*)$/;
const BUILDS = /^(?:npm run [\w:-]+|(?:npx )?(?:tsc|eslint|biome|prettier|esbuild|vite build)(?: [\w./:*-]+)*)$/;
const OPTION =
  /^(?:--coverage\S*|--experimental-\S+|--verbose|--silent|--colou?rs?|--no-colou?rs?|--runInBand|-i|--recursive|--passing|--globals|--run|--parallel|--test-concurrency=\d+|--test-timeout=\d+)$/;

/** One known runner, last, with nothing that chooses among tests. */
function runsAll(script: string, tests: Locked["tests"]): boolean {
  const parts = script.split("&&").map((part) => part.trim());
  const last = RUNNER.exec(parts.pop() ?? "");
  if (!last || !parts.every((part) => BUILDS.test(part))) return false;
  const words = (last[1] ?? "").split(/\s+/).filter((word) => word !== "");
  const places = words.filter((word) => !word.startsWith("-"));
  return (
    words.every((word) => (word.startsWith("-") ? OPTION.test(word) : /^["'\w./*{},@-]+$/.test(word))) &&
    (places.length === 0 || tests?.every((test) => places.some((place) => covers(place, test))) === true)
  );
}

function runnerWords(
  name: string,
  { old, now }: { old?: unknown; now?: unknown },
  tests: Locked["tests"],
): TestFinding[] {
  const [before, after] = [old, now].map((value) => (value === undefined ? undefined : JSON.stringify(value)));
  const gone = old !== undefined && now === undefined;
  const text = typeof now === "string" && now !== old;
  return chosen(before, after ?? "", tests) || gone || text
    ? [{ message: `what package.json says about ${name} was changed: it decides which tests run` }]
    : [];
}
