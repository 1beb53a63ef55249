/** The environment of a run, as prompts state it: what its checks and commands find where they run. Pure. */

export interface Environment {
  /** `Linux x64` */
  system: string;
  /** Versions by program, of those that are there. Empty: it is not known which. */
  programs: Readonly<Record<string, string>>;
  /** What the manifests declare is installed, or there is what the evaluator's image has. */
  packages: "installed" | "image";
}

/** In the order of the prompt: what each program is called there, and its runners. */
const PROGRAMS: [name: string, shown: string, runners: string[]][] = [
  ["node", "Node", ["node --test", "vitest", "jest", "mocha"]],
  ["npm", "npm", []],
  ["python3", "Python", ["pytest", "unittest"]],
  ["go", "Go", ["go test"]],
  ["cargo", "cargo", ["cargo test"]],
  ["javac", "JDK", []],
  ["mvn", "Maven", ["Maven"]],
  ["ruby", "Ruby", ["RSpec", "minitest"]],
  ["php", "PHP", ["PHPUnit"]],
  ["cmake", "CMake", ["ctest"]],
  ["make", "make", []],
];

export interface EnvironmentUse {
  /** The run's options allow it. */
  installs: boolean;
  tests: boolean;
  commands: boolean;
  checkMs: number;
}

/** About 300 tokens at most. */
export function environmentText({ system, programs, packages }: Environment, use: EnvironmentUse): string {
  const here = PROGRAMS.filter(([name]) => Object.hasOwn(programs, name));
  const present = here.map(([name, shown]) => `${shown} ${programs[name]}`.trimEnd());
  const absent = PROGRAMS.filter(([name]) => !Object.hasOwn(programs, name)).map(([, shown]) => shown);
  const runners = here.flatMap(([, , names]) => names);
  const lines = [
    ...(use.tests && runners.length > 0 ? [`Test cases are counted with ${runners.join(", ")}. ${OTHER_RUNNERS}`] : []),
    use.installs ? PACKAGES[packages] : "Packages are not installed: use what the programs bring.",
    "There is no other network than 127.0.0.1.",
    `A check ends after ${Math.round(use.checkMs / 1000)} s, installs included.`,
    ...(use.commands ? [COMMANDS] : []),
  ];
  const missing = absent.length > 0 ? ` Absent: ${absent.join(", ")}.` : "";
  return [
    `Checks${use.commands ? " and commands" : ""} run on ${system} with ${present.join(", ")}.${missing}`,
    ...lines.map((line) => `- ${line}`),
  ].join("\n");
}

const OTHER_RUNNERS = "Any other runner is one case, by its exit code.";

const PACKAGES: Record<Environment["packages"], string> = {
  installed:
    "Packages that the manifests declare are installed before tests and commands, built ones only. Install scripts do not run: instead of packages that need one (better-sqlite3, bcrypt 5, prisma) use others (node:sqlite, bcryptjs, drizzle-orm). Gems and packages of Composer are not installed.",
  image:
    "Nothing is installed: of packages there are only those of the evaluator's image, and a check that misses one names them.",
};

const COMMANDS =
  'Each command starts from its own copy of the files, ends after 60 s unless timeout_seconds says otherwise, and takes with it what it started. So start a server and ask it in one command: ["sh", "-c", "node server.js & sleep 1; node ask.js"].';
