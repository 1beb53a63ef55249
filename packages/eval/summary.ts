/** What the results of an evaluation come to, as data and as a table. Pure. */
import { ARM_NAMES } from "./arms/arm.ts";
import type { EvaluationLine, ResultLine } from "./result-lines.ts";

export interface Spread {
  mean: number;
  /** Of the seeds; absent with one. */
  deviation?: number;
}

export interface Summary {
  suite: string;
  suiteHash: string;
  version: string;
  /** As asked for, and by the names in the answers. */
  asked: string;
  models: string[];
  cases: number;
  seeds: number;
  /** Attempts that have a result, and how many there are to be. */
  results: number;
  attempts: number;
  /** Seeds of which every case has a result. */
  wholeSeeds: number;
  /** Shares from 0 to 1 over the whole seeds; failed runs count. Absent: no seed is whole, and cases differ too much. */
  solved?: Spread;
  /** Each case counts the same, however many checks it has. */
  checks?: Spread;
  usd: number;
  minutes: number;
  /** Of a suite with arms: the same of each; all together have no shares. */
  arms?: ArmSummary[];
}

export type ArmSummary = Pick<
  Summary,
  "models" | "results" | "attempts" | "wholeSeeds" | "solved" | "checks" | "usd" | "minutes"
> & { arm: string };

export interface SummaryParts {
  evaluation: EvaluationLine;
  results: ResultLine[];
  cases: number;
  seeds: number;
}

export function summarize({ evaluation, results, cases, seeds }: SummaryParts): Summary {
  const { suite, suiteHash, version, model } = evaluation;
  const about = { suite, suiteHash, version, asked: model, cases, seeds };
  const groups = [...Map.groupBy(results, ({ arm }) => arm)];
  const arms = groups.flatMap(([arm, lines]) =>
    arm === undefined ? [] : [{ arm, ...partOf(lines, { cases: cases / ARM_NAMES.length, seeds }) }],
  );
  const { solved, checks, ...all } = partOf(results, { cases, seeds });
  if (arms.length > 0) return { ...about, ...all, arms };
  return { ...about, ...all, ...(solved && checks ? { solved, checks } : {}) };
}

function partOf(results: ResultLine[], { cases, seeds }: Pick<SummaryParts, "cases" | "seeds">) {
  const whole = [...Map.groupBy(results, ({ seed }) => seed).values()].filter(({ length }) => length === cases);
  const spread = (share: (line: ResultLine) => number): Spread =>
    spreadOf(whole.map((lines) => meanOf(lines.map(share))));
  return {
    models: [...new Set(results.flatMap(({ models }) => models))].sort(),
    results: results.length,
    attempts: cases * seeds,
    wholeSeeds: whole.length,
    ...(whole.length === 0 ? {} : { solved: spread(({ solved }) => (solved ? 1 : 0)), checks: spread(shareOf) }),
    usd: sumOf(results.map(({ usd }) => usd)),
    minutes: sumOf(results.map(({ seconds }) => seconds)) / 60,
  };
}

const shareOf = ({ passed, of }: ResultLine): number => (of > 0 ? passed / of : 0);

const sumOf = (values: number[]): number => values.reduce((sum, value) => sum + value, 0);
const meanOf = (values: number[]): number => (values.length === 0 ? 0 : sumOf(values) / values.length);

function spreadOf(values: number[]): Spread {
  const mean = meanOf(values);
  if (values.length < 2) return { mean };
  return { mean, deviation: Math.sqrt(sumOf(values.map((value) => (value - mean) ** 2)) / (values.length - 1)) };
}

export function markdownOf(summary: Summary, results: ResultLine[]): string {
  const { suite, models, asked, arms } = summary;
  const first = arms ? "| arm " : "";
  const parts = arms ?? [{ arm: "", ...summary }];
  const counts = results.some(({ words }) => words !== undefined) ? OF_BOOKS : OF_CODE;
  const head = [
    `# ${suite}`,
    "",
    `Model: ${models.length > 0 ? models.join(", ") : "none answered"} (asked for: ${asked}). l2mac ${summary.version}, suite ${summary.suiteHash.slice(0, 12)}.`,
    "",
    `${first}| results | seeds | solved | checks passed | cost | minutes |`,
    `${arms ? "|---" : ""}|---|---|---|---|---|---|`,
    ...parts.map((part) => `${arms ? `| ${part.arm} ` : ""}${partRow(part, summary.seeds)}`),
    "",
    ...(summary.wholeSeeds === summary.seeds ? [] : [UNFINISHED, ""]),
    ...(arms ? [...armTable(results), ""] : []),
    "Runs that failed count as they are: the check is executed on what they left.",
    "",
    `| case | solved | checks | ${counts.map(({ head }) => head).join(" | ")} | cost | minutes | runs ended |`,
    `|---|---|---|${"---|".repeat(counts.length)}---|---|---|`,
  ];
  const rows = [...Map.groupBy(results, (line) => line.case)].map(([name, lines]) => caseRow(name, lines, counts));
  return `${[...head, ...rows].join("\n")}\n`;
}

const partRow = (part: Omit<ArmSummary, "arm" | "models">, seeds: number): string =>
  `| ${part.results} of ${part.attempts} | ${seedWords(part.wholeSeeds, seeds)} | ${percent(part.solved)} | ${percent(part.checks)} | $${part.usd.toFixed(4)} | ${part.minutes.toFixed(1)} |`;

/** A row for each case, a column for each arm. */
function armTable(results: ResultLine[]): string[] {
  const arms = [...new Set(results.flatMap(({ arm }) => arm ?? []))];
  const rows = [...Map.groupBy(results, baseOf)].map(([name, lines]) => {
    const shares = arms.map((arm) => lines.filter((line) => line.arm === arm).map(shareOf));
    return `| ${[name, ...shares.map((each) => percent(each.length > 0 ? spreadOf(each) : undefined))].join(" | ")} |`;
  });
  return [`| checks passed | ${arms.join(" | ")} |`, `|---${"|---".repeat(arms.length)}|`, ...rows];
}

const baseOf = ({ case: name, arm }: ResultLine): string =>
  arm === undefined ? name : name.slice(0, -`/${arm}`.length);

/** What is counted besides the checks. */
interface Count {
  head: string;
  of: (line: ResultLine) => number | undefined;
  shown: (mean: number) => string;
}

const amount = (mean: number): string => String(Math.round(mean * 10) / 10);
const OF_CODE: Count[] = [
  { head: "errors", of: ({ errors }) => errors, shown: amount },
  { head: "lines", of: ({ lines }) => lines, shown: amount },
  { head: "own tests", of: ({ ownTests }) => ownTests, shown: amount },
];
const OF_BOOKS: Count[] = [
  { head: "words", of: ({ words }) => words, shown: amount },
  { head: "repeated", of: ({ repeated }) => repeated, shown: (mean) => percentOf({ mean }) },
];

function caseRow(name: string, lines: ResultLine[], counts: Count[]): string {
  const share = spreadOf(lines.map(shareOf));
  const meanIn = ({ of, shown }: Count): string => {
    const values = lines.flatMap((line) => of(line) ?? []);
    return values.length === 0 ? "" : shown(meanOf(values));
  };
  const ends = [...Map.groupBy(lines, ({ status, reason }) => (reason ? `${status} (${reason})` : status))];
  const cells = [
    name,
    `${lines.filter(({ solved }) => solved).length} of ${lines.length}`,
    percent(share),
    ...counts.map(meanIn),
    `$${sumOf(lines.map(({ usd }) => usd)).toFixed(4)}`,
    (sumOf(lines.map(({ seconds }) => seconds)) / 60).toFixed(1),
    ends.map(([end, { length }]) => `${length} ${end}`).join(", "),
  ];
  return `| ${cells.join(" | ")} |`;
}

const UNFINISHED = "Not every seed has all results: the shares above are of whole seeds only.";

const seedWords = (wholeSeeds: number, seeds: number): string =>
  wholeSeeds === seeds ? String(seeds) : `${wholeSeeds} of ${seeds}`;

const percent = (spread: Spread | undefined): string => (spread ? percentOf(spread) : "–");

const percentOf = ({ mean, deviation }: Spread): string =>
  `${(mean * 100).toFixed(1)} %${deviation === undefined ? "" : ` ± ${(deviation * 100).toFixed(1)}`}`;
