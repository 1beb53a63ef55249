/** `l2mac eval doctor`: shows what each suite makes of known solutions, of none, and of trees that cheat. */

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type EvalCase,
  examine,
  examineArms,
  type OfflineRow,
  type ProbeRow,
  probeOffline,
  type RetentionRow,
  type Suite,
  usableCases,
  wordsOf,
} from "../../../packages/eval/index.ts";
import { UserError } from "../../core/errors.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { type LocalEvaluator, openEvaluator } from "../../sandbox/open-evaluator.ts";
import { table } from "../display/table.ts";
import type { CommandLine } from "../runs/command-line.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { countIn } from "./count-in.ts";
import { LIMIT } from "./eval-commands.ts";
import { recordRun } from "./record-run.ts";
import { suitePlace } from "./suite-place.ts";

type EvalLine = Pick<CommandLine, "given" | "shell">;

type DoctorRow = ProbeRow | OfflineRow | RetentionRow;

interface SuiteExamination {
  suite: string;
  cases: number;
  /** Why it could not be examined here. */
  absent?: string;
  probes: DoctorRow[];
}

/** Exit code 1: a check accepts what it must refuse, or refuses what it must accept. */
export async function examineSuites(suites: Suite[], { given, shell }: EvalLine): Promise<number> {
  const limit = countIn(given, LIMIT.name, Number.POSITIVE_INFINITY);
  const home = mkdtempSync(join(tmpdir(), "l2mac-eval-"));
  try {
    const opened = openEvaluator({ home, env: shell.env, announce: shell.say });
    const examined: SuiteExamination[] = [];
    for (const suite of suites) {
      shell.say(`${suite.name}: ${suite.about} (${suite.source})`);
      examined.push(await examineSuite(suite, { opened, limit, place: suitePlace(shell, given), say: shell.say }));
    }
    if (given.flags.has(JSON_OUTPUT.name)) shell.out(`${JSON.stringify(examined, null, 2)}\n`);
    else shell.out(tableOf(examined));
    // Of all suites, those that need what is not here are left out; one that is named is wanted.
    const isNamed = given.words[1] !== undefined;
    return examined.every(({ absent, probes }) => !(isNamed && absent) && probes.every(({ isRight }) => isRight))
      ? 0
      : 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

interface Examining {
  opened: LocalEvaluator;
  limit: number;
  place: ReturnType<typeof suitePlace>;
  say: (line: string) => void;
}

async function examineSuite(suite: Suite, examining: Examining): Promise<SuiteExamination> {
  const { opened, limit, place, say } = examining;
  const loaded = await loadedCases(suite, place);
  if ("absent" in loaded) {
    say(sanitizeLine(`  not examined: ${loaded.absent}`));
    return { suite: suite.name, cases: 0, absent: loaded.absent, probes: [] };
  }
  const { evaluator, sealed } = opened;
  const usable = await usableCases(loaded.cases, evaluator);
  for (const each of usable.left) say(`  ${wordsOf(each)}`);
  const cases = usable.cases.slice(0, limit);
  const probes: SuiteExamination["probes"] = [];
  try {
    for await (const row of examine({ suite, cases, evaluator })) probes.push(row);
    for await (const row of examineArms(cases, recordRun)) probes.push(row);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    say(sanitizeLine(`  not examined: ${error.message}`));
    return { suite: suite.name, cases: cases.length, absent: error.message, probes: [] };
  }
  probes.push(await probeOffline({ evaluator, sealed, listen }));
  for (const row of probes)
    for (const detail of row.isRight ? [] : row.details.slice(0, SHOWN)) say(sanitizeLine(`  ${row.probe}: ${detail}`));
  return { suite: suite.name, cases: cases.length, probes };
}

const SHOWN = 10;

async function loadedCases(
  suite: Suite,
  place: Examining["place"],
): Promise<{ cases: EvalCase[] } | { absent: string }> {
  try {
    return { cases: await suite.load(place) };
  } catch (error) {
    if (error instanceof UserError) return { absent: error.message };
    throw error;
  }
}

/** A server of this computer, which code in the sandbox must not reach. */
async function listen(): Promise<{ port: number; wasReached(): boolean; close(): void }> {
  let reached = false;
  const server = createServer((socket) => {
    reached = true;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, wasReached: () => reached, close: () => void server.close() };
}

function tableOf(examined: SuiteExamination[]): string {
  const columns = [{ head: "suite" }, { head: "probe" }, { head: "solved" }, { head: "" }];
  const rows = examined.flatMap(({ suite, absent, probes }) =>
    absent === undefined
      ? probes.map((row) => [suite, ...solvedWords(row), row.isRight ? "as it must be" : "WRONG"])
      : [[suite, "", "", "not examined here"]],
  );
  return table(columns, rows);
}

function solvedWords(row: DoctorRow): [probe: string, solved: string] {
  if (row.probe === "offline") return [row.probe, row.how];
  if (row.probe === "retention") return [row.of, `${row.retained}/${row.requirements}`];
  return [row.probe, `${row.solved}/${row.of}`];
}
