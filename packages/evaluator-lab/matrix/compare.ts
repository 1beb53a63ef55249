/** What a plain runner and the evaluator say of one tree, compared. Pure. */
import type { Verdict } from "../../../lib/core/verdict/verdict.ts";
import type { Ran } from "../world/command.ts";
import { KINDS, type Kind, PASSING, type Runner } from "./trees.ts";

/** `late`: the runner did not end in its time, which is no truth. */
export type Colour = "green" | "red" | "no tests" | "late";

/** What runners print of how many tests passed, and where there is none. */
const PRINTED: Record<Runner, { passed: RegExp; none: RegExp }> = {
  pytest: { passed: /(\d+) passed/, none: /no tests ran|collected 0 items/ },
  "node --test": { passed: /^(?:ℹ|#) pass (\d+)/m, none: /^(?:ℹ|#) tests 0$|Could not find /m },
  vitest: { passed: /Tests .*?(\d+) passed/, none: /No test files? found/i },
  jest: { passed: /Tests: .*?(\d+) passed/, none: /No tests found/ },
  mocha: { passed: /(\d+) passing/, none: /\b0 passing|No test files found/ },
  "go test": { passed: /^ok\b/m, none: /no test files/ },
};

export interface Truth {
  colour: Colour;
  /** Absent: it printed none. */
  passed?: number;
}

export function truthOf(runner: Runner, { code, tail }: Ran): Truth {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what colours text on a terminal.
  const text = tail.replaceAll(/\u001b\[[\d;]*m/g, "");
  const { passed, none } = PRINTED[runner];
  if (code === null) return { colour: "late" };
  if (none.test(text)) return { colour: "no tests" };
  const count = runner === "go test" ? text.match(/^\s*--- PASS:/gm)?.length : Number(passed.exec(text)?.[1] ?? 0);
  return { colour: code === 0 ? "green" : "red", passed: count ?? 0 };
}

export interface Cell {
  truth: Truth;
  tests: Pick<Verdict["tests"], "status" | "reason" | "passed" | "failed" | "errors" | "skipped" | "runner">;
}

/** A verdict that claims nothing is none here: each of these runners is there. */
const COLOURS: Partial<Record<Verdict["tests"]["status"], Colour>> = {
  passed: "green",
  failed: "red",
  crashed: "red",
  not_found: "no tests",
};

/** In words; undefined: they agree. */
export function disagreement(kind: Kind, { truth, tests }: Cell): string | undefined {
  const colour = COLOURS[tests.status];
  if (colour !== truth.colour) return `the runner says ${truth.colour}, the evaluator ${shown(tests)}`;
  const passing = PASSING[kind];
  if (passing !== undefined && truth.passed !== tests.passed)
    return `the runner counts ${truth.passed} passed, the evaluator ${tests.passed}`;
  return undefined;
}

const shown = ({ status, reason, passed, failed, errors, skipped }: Cell["tests"]): string =>
  `${reason ? `${status} (${reason})` : status} ${passed}/${failed}/${errors}/${skipped}`;

export type Row = { label: string; cells: Partial<Record<Kind, Cell | { problem: string }>> };

const cellText = (kind: Kind, cell: Row["cells"][Kind]): string => {
  if (!cell) return "–";
  if ("problem" in cell) return "NOT RUN";
  return disagreement(kind, cell) === undefined ? cell.truth.colour : "DISAGREE";
};

/** As Markdown, in columns as wide as their widest cell. */
export function tableOf(rows: Row[]): string {
  const lines = [
    ["version", ...KINDS],
    ...rows.map(({ label, cells }) => [label, ...KINDS.map((kind) => cellText(kind, cells[kind]))]),
  ];
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0))) ?? [];
  const drawn = lines.map((line) => `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`);
  return [drawn[0], `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...drawn.slice(1)].join("\n");
}

export const disagreements = (rows: Row[]): string[] =>
  rows.flatMap(({ label, cells }) =>
    KINDS.flatMap((kind) => {
      const cell = cells[kind];
      const what = cell && ("problem" in cell ? cell.problem : disagreement(kind, cell));
      return what === undefined ? [] : [`${label}, ${kind}: ${what}`];
    }),
  );
