/** What the results of an evaluation come to, as data and as a table. Pure. */
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
}

export interface SummaryParts {
  evaluation: EvaluationLine;
  results: ResultLine[];
  cases: number;
  seeds: number;
}

export function summarize({ evaluation, results, cases, seeds }: SummaryParts): Summary {
  const whole = [...Map.groupBy(results, ({ seed }) => seed).values()].filter(({ length }) => length === cases);
  const spread = (share: (line: ResultLine) => number): Spread =>
    spreadOf(whole.map((lines) => meanOf(lines.map(share))));
  const { suite, suiteHash, version, model } = evaluation;
  return {
    ...{ suite, suiteHash, version, asked: model, cases, seeds },
    models: [...new Set(results.flatMap(({ models }) => models))].sort(),
    ...{ results: results.length, attempts: cases * seeds },
    wholeSeeds: whole.length,
    ...(whole.length === 0
      ? {}
      : {
          solved: spread(({ solved }) => (solved ? 1 : 0)),
          checks: spread(({ passed, of }) => (of > 0 ? passed / of : 0)),
        }),
    usd: sumOf(results.map(({ usd }) => usd)),
    minutes: sumOf(results.map(({ seconds }) => seconds)) / 60,
  };
}

const sumOf = (values: number[]): number => values.reduce((sum, value) => sum + value, 0);
const meanOf = (values: number[]): number => (values.length === 0 ? 0 : sumOf(values) / values.length);

function spreadOf(values: number[]): Spread {
  const mean = meanOf(values);
  if (values.length < 2) return { mean };
  return { mean, deviation: Math.sqrt(sumOf(values.map((value) => (value - mean) ** 2)) / (values.length - 1)) };
}

export function markdownOf(summary: Summary, results: ResultLine[]): string {
  const { suite, models, asked, attempts, solved, checks, usd, minutes } = summary;
  const head = [
    `# ${suite}`,
    "",
    `Model: ${models.length > 0 ? models.join(", ") : "none answered"} (asked for: ${asked}). l2mac ${summary.version}, suite ${summary.suiteHash.slice(0, 12)}.`,
    "",
    "| results | seeds | solved | checks passed | cost | minutes |",
    "|---|---|---|---|---|---|",
    `| ${summary.results} of ${attempts} | ${seedWords(summary)} | ${percent(solved)} | ${percent(checks)} | $${usd.toFixed(4)} | ${minutes.toFixed(1)} |`,
    "",
    ...(summary.wholeSeeds === summary.seeds ? [] : [UNFINISHED, ""]),
    "Runs that failed count as they are: the check is executed on what they left.",
    "",
    "| case | solved | checks | errors | lines | own tests | cost | minutes | runs ended |",
    "|---|---|---|---|---|---|---|---|---|",
  ];
  const rows = [...Map.groupBy(results, (line) => line.case)].map(([name, lines]) => caseRow(name, lines));
  return `${[...head, ...rows].join("\n")}\n`;
}

function caseRow(name: string, lines: ResultLine[]): string {
  const share = spreadOf(lines.map(({ passed, of }) => (of > 0 ? passed / of : 0)));
  const mean = (value: (line: ResultLine) => number | undefined): string => {
    const values = lines.flatMap((line) => value(line) ?? []);
    return values.length === 0 ? "" : String(Math.round(meanOf(values) * 10) / 10);
  };
  const ends = [...Map.groupBy(lines, ({ status, reason }) => (reason ? `${status} (${reason})` : status))];
  const cells = [
    name,
    `${lines.filter(({ solved }) => solved).length} of ${lines.length}`,
    percent(share),
    mean(({ errors }) => errors),
    mean((line) => line.lines),
    mean(({ ownTests }) => ownTests),
    `$${sumOf(lines.map(({ usd }) => usd)).toFixed(4)}`,
    (sumOf(lines.map(({ seconds }) => seconds)) / 60).toFixed(1),
    ends.map(([end, { length }]) => `${length} ${end}`).join(", "),
  ];
  return `| ${cells.join(" | ")} |`;
}

const UNFINISHED = "Not every seed has all results: the shares above are of whole seeds only.";

const seedWords = ({ wholeSeeds, seeds }: Summary): string =>
  wholeSeeds === seeds ? String(seeds) : `${wholeSeeds} of ${seeds}`;

const percent = (spread: Spread | undefined): string => (spread ? percentOf(spread) : "–");

const percentOf = ({ mean, deviation }: Spread): string =>
  `${(mean * 100).toFixed(1)} %${deviation === undefined ? "" : ` ± ${(deviation * 100).toFixed(1)}`}`;
