/** Starts what the tree delivers, in a copy of its own: a delivery that does not even start is not done. */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SmokeVerdict } from "../../lib/core/verdict.ts";
import { commandFor } from "./asked-command.ts";
import { type Place, withoutToolchain } from "./kind.ts";
import { openPlace, type PlaceSettings } from "./place.ts";
import { shortened } from "./plain-text.ts";
import type { CommandResult } from "./run-command.ts";
import { entryOf } from "./smoke-entry.ts";

/** Who runs on until then is a server, or a game: it has started. */
const START_MS = 10_000;
/** With less time left, nothing could be said of what still runs at its end. */
const FLOOR_MS = 2_000;
const OUTPUT_CHARS = 4_000;
const MANIFEST_BYTES = 256 * 1024;

/** What was tested has left its traces elsewhere. */
export async function smokeOf(settings: PlaceSettings): Promise<SmokeVerdict> {
  const place = await openPlace(settings);
  try {
    const { output, ...smoke } = await startIn(place, settings);
    return { ...smoke, output: output.replaceAll(`${place.folder}/tree/`, "").replaceAll(place.folder, ".") };
  } finally {
    await place.close();
  }
}

async function startIn(place: Place, { tree, leftMs }: PlaceSettings): Promise<SmokeVerdict> {
  const entry = entryOf({ files: tree.files, read: (path) => readSmall(join(tree.folder, path)) });
  if (!entry) return { status: "not_run", reason: "nothing_to_check", exitCode: null, output: "" };
  const { argv, shown } = entry;
  const helped = await start([...argv, ...(argv[0] === "npm" ? ["--", "--help"] : ["--help"])]);
  if (helped.status === "passed" || !shown) return helped;
  // Not every program knows how to help.
  const asShown = await start(shown);
  return asShown.status === "passed" ? asShown : helped;

  async function start(words: string[]): Promise<SmokeVerdict> {
    const none = { argv: words, exitCode: null, output: "" };
    if (leftMs() < FLOOR_MS) return { ...none, status: "not_run", reason: "no time left" };
    const command = commandFor(words, tree, place);
    if (!command) return { ...none, ...withoutToolchain(words[0] ?? "") };
    const copy = await place.copy();
    const env = { PYTHONPATH: join(copy.folder, "src") };
    const result = await copy.run({ argv: command, stdin: "", timeoutMs: Math.min(START_MS, leftMs()), env });
    return { argv: words, exitCode: result.exitCode, output: outputOf(result), ...opinionOf(result, place) };
  }
}

const outputOf = ({ stdout, stderr }: CommandResult): string =>
  shortened(`${stdout.trim()}\n${stderr.trim()}`.trim(), OUTPUT_CHARS);

function readSmall(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= MANIFEST_BYTES ? readFileSync(path, "utf8") : undefined;
}

type Opinion = Pick<SmokeVerdict, "status" | "reason" | "detail">;

function opinionOf(result: CommandResult, { environment }: Place): Opinion {
  if (result.status === "timed_out") return { status: "passed", detail: "it still ran when it was stopped" };
  if (result.status === "not_found") return { status: "not_run", reason: "no_toolchain", detail: result.stderr };
  if (result.status === "crashed") return { status: "crashed", detail: `it was ended by ${result.signal}` };
  if (result.exitCode === 0) return { status: "passed" };
  const text = `${result.stdout}\n${result.stderr}`;
  const missing = MISSING.exec(text)?.[1];
  if (missing && isNotHad(missing, environment?.missing ?? []))
    return { status: "not_run", reason: "package_missing", detail: `package ${missing} is not available here` };
  const known = NO_FAULT.find(([pattern]) => pattern.test(text))?.[1];
  return known ?? unknownEnd(text.trim(), result.exitCode);
}

/** It ran far enough to say in its own words what it lacks: that is no crash, and no proof either. */
function unknownEnd(said: string, exitCode: number | null): Opinion {
  if (said === "" || CRASHED.test(said)) return { status: "failed", detail: `it ended with ${exitCode}` };
  const [first = ""] = said.split("\n");
  return { status: "not_run", reason: `it ended with ${exitCode}`, detail: shortened(first, 200) };
}

/** What interpreters print of an error that nobody caught, and shells of a program that is not there. */
const CRASHED =
  /^Traceback \(most recent call last\)|^\s+at .*:\d+|^panic: |^(?:Syntax|Type|Reference|Range)Error\b|command not found|No such file or directory|can't open file/m;

const MISSING = /(?:No module named '|Cannot find (?:module|package) ')((?:@[\w.-]+\/)?[\w-]+)/;

/** What the project declares and could not be had. What it does not declare is missing wherever it is delivered to. */
const isNotHad = (name: string, missing: string[]): boolean =>
  missing.some((what) => what.toLowerCase().replaceAll("_", "-").startsWith(name.toLowerCase().replaceAll("_", "-")));

/** It started, and then wanted what an empty, sealed place does not have. */
const NO_FAULT: [RegExp, Opinion][] = [
  [/\busage\b/i, { status: "passed", detail: "it said how it is used" }],
  [/EOFError: EOF when reading a line/, { status: "passed", detail: "it waited for input" }],
  [
    /ECONNREFUSED|ENETUNREACH|EAI_AGAIN|ENOTFOUND|Connection refused|Name or service not known|Temporary failure in name resolution|Network is unreachable/,
    { status: "not_run", reason: "it needs the network" },
  ],
  [
    /no display name|cannot open display|DISPLAY environment variable/i,
    { status: "not_run", reason: "it needs a display" },
  ],
];
