/** The long checks as data: what each judges, and what it runs. */
import { globSync, readFileSync } from "node:fs";
import { readMutations } from "../test/faults/mutate.ts";

export interface Suite {
  name: string;
  /** Undefined: nothing of it is due. */
  command(due: Due): string[] | undefined;
}

export interface Due {
  part: number;
  isRelease: boolean;
  isChanged(...sources: string[]): boolean;
}

const run = (script: string, ...words: string[]): string[] => ["npm", "run", script, "--", ...words];
const doctor = (...words: string[]): string[] => ["node", "bin/l2mac.mjs", "eval", "doctor", ...words];
/** As every other of them counts its parts: a sixth at a landing, or a third of what takes too long to be run whole. */
const shard = (part: number): string => `${part + 1}/6`;
const third = (part: number): string => `${(part % 3) + 1}/3`;

const LANGUAGES = { pypi: "python", npm: "javascript", go: "go", crates: "rust", maven: "java" };
const language = (name: string): string[] => [`lib/evaluator/languages/${name}/`, `lib/evaluator/packages/${name}/`];
const SERVERS = ["llama", "templates", "litellm", "smollm"];
const TIMED = [
  "overhead",
  "tree",
  "flat",
  "start",
  "submission",
  "lane-speed",
  "lane-cost",
  "functions",
  "evaluator",
  "checks",
  "page",
  "pictures",
];

export const SUITES: Suite[] = [
  {
    name: "the deployment is rehearsed, its permissions shown to be needed",
    // A permission that is missing fails an act, and one that no act uses fails where all are played.
    command({ part, isRelease, isChanged }) {
      if (isRelease) return run("rehearse:cloud");
      if (isChanged("lib/cloud/", "lib/aws/", "lambdas/", "statemachine/", "packages/aws-rehearsal/"))
        return run("rehearse:cloud", "--shard", third(part));
      return run("rehearse:cloud", "--shard", shard(part), ...(part === 0 ? [] : ["--acts", shard(part)]));
    },
  },
  {
    name: "real projects get the verdict of their own runners",
    command({ part, isRelease, isChanged }) {
      if (isRelease) return run("evaluator:world");
      // Of those that changed more are judged, below.
      const same = Object.entries(LANGUAGES).filter(([, name]) => !isChanged(...language(name)));
      const only = ["case:", ...same.map(([from]) => `${from}:`)];
      return run("evaluator:world", "--third", "1", "--shard", shard(part), "--mutants", "1", "--only", ...only);
    },
  },
  {
    name: "real projects of the languages that changed get the verdict of their own runners",
    command({ part, isRelease, isChanged }) {
      const changed = Object.entries(LANGUAGES).filter(([, name]) => isChanged(...language(name)));
      if (isRelease || changed.length === 0) return undefined;
      const only = changed.map(([from]) => `${from}:`);
      return run("evaluator:world", "--third", "1", "--shard", third(part), "--mutants", "3", "--only", ...only);
    },
  },
  {
    name: "real model servers take all that is asked of them, and noise ends in plain words",
    command({ part, isRelease, isChanged }) {
      // One of the four at a time, or two of them; scripted servers play all that they do in the tests.
      const turns = isRelease ? 1 : isChanged("lib/model/", "test/servers/real/") ? 2 : SERVERS.length;
      return run("servers", "--only", SERVERS.filter((_, at) => at % turns === part % turns).join(","));
    },
  },
  {
    name: "small projects get the verdicts that they must",
    command: ({ part, isChanged }) =>
      isChanged("lib/evaluator/", "packages/evaluator-lab/corpus/")
        ? run("evaluator:corpus")
        : run("evaluator:corpus", "--shard", shard(part)),
  },
  {
    name: "test runners of all versions get the verdict of their plain run",
    command: ({ part, isRelease }) =>
      isRelease ? run("evaluator:matrix") : run("evaluator:matrix", "--shard", shard(part)),
  },
  {
    name: "exercises in six languages: their solutions pass, and nothing else",
    command: ({ part, isChanged }) =>
      part === 1 || isChanged("packages/eval/") ? doctor("polyglot", "--limit", "6") : undefined,
  },
  {
    name: "the checks of every evaluation suite accept what they must, and nothing else",
    command: ({ part, isChanged }) =>
      part === 2 || isChanged("packages/eval/")
        ? doctor("humaneval", "debugging", "systems", "context", "book")
        : undefined,
  },
  {
    name: "what breaks on purpose loses nothing, and nothing is paid twice",
    command: ({ part, isRelease }) =>
      isRelease ? run("faults") : run("faults", "--quick", "--third", String((part % 3) + 1)),
  },
  {
    name: "attacks on the evaluator end honestly, and change nothing outside",
    command: () => run("evaluator:hostile"),
  },
  {
    name: "cfn-lint in all regions, and checkov, find nothing in the stack",
    command: ({ part, isChanged }) =>
      part === 3 || isChanged("bin/cdk.ts", "cdk.json", "lib/cloud/", "lambdas/", "statemachine/", "test/cloud/")
        ? ["stack"]
        : undefined,
  },
  {
    name: "what the evaluator's image brings installs together",
    command: ({ part, isChanged }) => (part === 4 || isChanged("lambdas/evaluate/") ? ["image_packages"] : undefined),
  },
  {
    name: "no text that others write crashes or holds what reads it",
    command: ({ part, isRelease }) => run("fuzz", "--seconds", isRelease ? "600" : "40", "--seed", String(part + 1)),
  },
  { name: "the bench prints what it counts", command: () => run("bench", "counted") },
  { name: "types and style", command: () => ["npm", "run", "check"] },
  {
    name: "the action follows GitHub's schema, and the Dockerfiles have nothing to complain about",
    command: () => ["definitions"],
  },
];

/** Times are printed, not judged: two measurements of twelve show that they can be had. */
export const measurements = (part: number, isRelease: boolean): string[] =>
  TIMED.filter((_, at) => isRelease || at % 6 === part);

/** Each line that is broken on purpose, and the source that holds it. */
export const MUTATIONS: { name: string; source: string }[] = readMutations().map(({ name, file }) => ({
  name,
  source: /^\+\+\+ b\/(.*)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? "",
}));

/** Finds the folders of these names in `lib`, in any room, and among the packages. */
const roomsOf = (...names: string[]): string[] =>
  names.flatMap((name) =>
    globSync([`lib/*/${name}`, `lib/${name}`, `lib/cli/${name}`, `packages/${name}`]).map((folder) => `${folder}/`),
  );

/** What finished steps are, and how they are adopted. */
const STEPS = ["lib/core/step/", "lib/control/adopt/", "lib/control/steps/"];

/** Which sources a test is about. A scenario of no row is about what every run does. */
const TESTS: [tests: RegExp, sources: string[]][] = [
  [/^packages\/page\//, ["packages/page/"]],
  [/^packages\/git\//, roomsOf("git")],
  [/^packages\/book\//, ["packages/book/"]],
  [/^test\/contracts\//, ["lib/aws/", "lib/host/", "lib/registry/", "lib/core/ports.ts", "lib/core/store/"]],
  [
    /^packages\/aws-rehearsal\//,
    ["lib/aws/", "lib/cloud/", "lib/engine/", "lambdas/", "statemachine/", "packages/aws-rehearsal/"],
  ],
  [/^test\/deployment\//, ["lib/deployment/", "lib/cli/deploy/", "lib/cloud/", "test/deployment/"]],
  [/^packages\/eval\//, roomsOf("eval")],
  [/^(test|lib)\/(evaluator|sandbox)/, ["lib/evaluator/", "lib/sandbox/", "test/evaluator/"]],
  [/^lib\/model\/rehearsal\//, ["lib/model/", "rehearsals/", "prompts/"]],
  [/^test\/foreign-text\//, ["lib/evaluator/", "lib/core/text/", "test/foreign-text/"]],
  [
    /^test\/(package|install)/,
    ["package.json", "package-lock.json", "action.yml", "Dockerfile", "bin/", "lib/library/"],
  ],
  [/^test\/api\//, ["lib/api/", "lib/local/"]],
  [/^test\/docs\/curl/, ["docs/", "lib/api/"]],
  [/^test\/(scale|cloud)/, ["lib/cloud/", "lib/registry/", "lambdas/"]],
  [/^test\/gallery\//, ["examples/", "rehearsals/", "prompts/", "test/gallery/"]],
  [/^test\/provenance\//, [...roomsOf("provenance"), "test/provenance/"]],
  [/^test\/faults\/cloud\//, ["lib/aws/", "lambdas/", "statemachine/"]],
  [/^(test\/client|lib\/cli)\//, ["lib/cli/", "lib/client/", "test/client/"]],
  [/^test\/scenarios\/lanes\//, [...roomsOf("lanes"), ...STEPS]],
  [/^test\/scenarios\/(evidence|examiner|proven)/, [...roomsOf("evidence", "examiner"), "lib/evaluator/stubs/"]],
  [/^test\/scenarios\/(make|fork|starting)/, [...roomsOf("make", "fork", "forks"), ...STEPS]],
  [/^test\/scenarios\/(bad-home|bad-disk|full-disk)/, ["lib/host/", "lib/local/", "lib/registry/"]],
  [/^test\/scenarios\/(every-kind|planned|walk|calls|asking-programs|kinds)/, roomsOf("program", "programs")],
  [/^test\/scenarios\/(locked|given|weakened|skipped|known-red|easy-gate)/, roomsOf("gate", "verdict")],
  [/^test\/scenarios\/(telemetry|webhook)/, roomsOf("telemetry", "webhook", "notification")],
];

export const sourcesOfTest = (test: string): string[] => TESTS.find(([tests]) => tests.test(test))?.[1] ?? [];
