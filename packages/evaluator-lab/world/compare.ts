/** Compares verdicts with the truth, and draws the table of agreement. Pure. */

export interface Truth {
  colour: "green" | "red" | "unknown";
  /** Why it is not green. */
  why?: string;
  seconds: number;
}

export interface Opinion {
  colour: "green" | "unchecked" | "red";
  /** What made it so, in one line. */
  cause: string;
  /** What was found, in one line. */
  said: string;
  seconds: number;
}

export interface Comparison {
  label: string;
  runner: string;
  truth: Truth;
  /** Absent where the truth is not known. */
  verdict?: Opinion;
  /** Of a red variant: what was changed. */
  mutant?: string;
}

/** A real project, a small project made by hand, or a real one with a broken line. */
type Kind = "real" | "case" | "variant";

const kindOf = ({ label, mutant }: Comparison): Kind =>
  mutant !== undefined ? "variant" : label.startsWith("case:") ? "case" : "real";

export const OUTCOMES = ["agree", "honest unchecked", "false red", "false green", "truth unknown"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export function outcomeOf({ truth, verdict }: Pick<Comparison, "truth" | "verdict">): Outcome {
  if (truth.colour === "unknown" || !verdict) return "truth unknown";
  if (verdict.colour === truth.colour) return "agree";
  if (verdict.colour === "unchecked") return "honest unchecked";
  return verdict.colour === "red" ? "false red" : "false green";
}

/** What is asked of the evaluator, of projects that are healthy by their own runner. */
export const GREEN_SHARE_AT_LEAST = 0.95;
/** Of a part of the list, in which two that are honestly unchecked would be too many. */
const GREEN_SHARE_OF_FEW = 0.8;
const FEW = 50;
export const RED_SHARE_AT_MOST = 0.01;

const percent = (part: number, whole: number): string => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`);

/** Columns as wide as their widest cell, as Markdown. */
export function tableOf(comparisons: Comparison[]): string {
  const kinds = Map.groupBy(comparisons, kindOf);
  const runners = [...Map.groupBy(kinds.get("real") ?? [], ({ runner }) => runner)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const groups: [string, Comparison[]][] = [
    ...runners,
    ["all real projects", kinds.get("real") ?? []],
    ["small cases", kinds.get("case") ?? []],
    ["red variants", kinds.get("variant") ?? []],
  ];
  const counted = groups.map(([name, rows]) => [
    name,
    String(rows.length),
    ...OUTCOMES.map((outcome) => String(rows.filter((row) => outcomeOf(row) === outcome).length)),
  ]);
  const rows = [["runner", "projects", ...OUTCOMES], ...counted];
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`);
  return [lines[0], `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...lines.slice(1)].join("\n");
}

export interface Figures {
  lines: string[];
  reached: boolean;
}

/** The figures that are held to the limits. */
export function figuresOf(comparisons: Comparison[]): Figures {
  const known = comparisons.filter((each) => outcomeOf(each) !== "truth unknown");
  const kinds = Map.groupBy(known, kindOf);
  const [plain = [], variants = []] = [kinds.get("real"), kinds.get("variant")];
  const share = (rows: Comparison[], colour: Opinion["colour"]): number =>
    rows.filter(({ verdict }) => verdict?.colour === colour).length;
  const healthy = plain.filter(({ truth }) => truth.colour === "green");
  const red = plain.filter(({ truth }) => truth.colour === "red");
  const falseGreen = known.filter((each) => outcomeOf(each) === "false green");
  const colours = (rows: Comparison[]): string =>
    (["green", "unchecked", "red"] as const)
      .map((each) => `${percent(share(rows, each), rows.length)} ${each}`)
      .join(", ");
  const greenShare = healthy.length < FEW ? GREEN_SHARE_OF_FEW : GREEN_SHARE_AT_LEAST;
  const missed = [
    ...(share(healthy, "green") < greenShare * healthy.length ? ["too few healthy projects are green"] : []),
    ...(share(healthy, "red") > RED_SHARE_AT_MOST * healthy.length ? ["too many healthy projects are red"] : []),
    ...(falseGreen.length > 0 ? [`${falseGreen.length} false green`] : []),
    ...(known.length === 0 ? ["nothing was compared"] : []),
  ];
  return {
    lines: [
      `Healthy projects: ${healthy.length}; ${colours(healthy)} (at least ${percent(greenShare, 1)} green, at most ${percent(RED_SHARE_AT_MOST, 1)} red).`,
      `Red projects: ${red.length}; ${colours(red)}.`,
      `Red variants of healthy projects: ${variants.length}; ${colours(variants)}.`,
      missed.length === 0 ? "Every limit is met." : `Limits missed: ${missed.join("; ")}.`,
    ],
    reached: missed.length === 0,
  };
}

/** A line for each disagreement, false greens first. */
export function disagreements(comparisons: Comparison[]): string[] {
  const order: Outcome[] = ["false green", "false red", "honest unchecked", "truth unknown"];
  return order.flatMap((outcome) =>
    comparisons
      .filter((each) => outcomeOf(each) === outcome)
      .map(({ label, mutant, truth, verdict }) => {
        const name = mutant === undefined ? label : `${label} (${mutant})`;
        const why = truth.why ? ` (${truth.why})` : "";
        return `${outcome}: ${name}; truth ${truth.colour}${why}; verdict ${verdict ? `${verdict.colour}: ${verdict.cause}` : "not taken"}`;
      }),
  );
}
