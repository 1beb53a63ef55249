/** The text of a run's pull request: what was asked, what was checked, and what it cost. Pure. */

import type { Instruction, Requirement } from "../program/program.ts";
import { acceptedOf, type Run } from "../run/run.ts";
import { oneLine } from "../text/cut.ts";
import { money, pluralize } from "../text/format.ts";
import { maskSecrets } from "../text/secrets.ts";
import type { PullRequestText } from "./servers.ts";

const TITLE_CHARS = 200;
const LINE_CHARS = 400;
/** GitHub takes 65,536 characters. */
const LINES = 120;

export interface ExecutedProgram {
  instructions: Instruction[];
  requirements: Requirement[];
}

export function pullRequestText(run: Run, { instructions, requirements }: ExecutedProgram): PullRequestText {
  const steps = instructions.filter(({ status }) => status === "accepted");
  const tests = run.testsTotal > 0 ? [`${run.testsPassed} of ${pluralize(run.testsTotal, "test")} passed.`] : [];
  const cost = run.models?.some(({ price }) => !price) || !run.profile.price ? "unknown" : money(run.microUsd);
  const sections = [
    `${acceptedOf(run)} of ${pluralize(run.instructions, "instruction")} accepted, one commit each.`,
    ...tests,
    ...(run.unchecked.length === 0 ? [] : [`Not checked: ${literal(run.unchecked.join("; "))}`]),
    list(
      "Requirements",
      requirements.map((each) => requirementLine(each, steps)),
    ),
    list(
      "Steps",
      steps.map(({ number, title }) => `${number}. ${literal(title)}`),
    ),
    `Cost: ${cost}, ${pluralize(run.turns, "turn")}. Model: ${literal(run.profile.model)}. Run: ${literal(run.id)}`,
  ];
  return {
    title: maskSecrets(oneLine(run.title, TITLE_CHARS)) || `Run ${run.id}`,
    body: `${maskSecrets(sections.filter(Boolean).join("\n\n"))}\n`,
  };
}

function requirementLine({ id, text }: Requirement, steps: Instruction[]): string {
  const by = steps.filter(({ requirements }) => requirements.includes(id)).map(({ number }) => number);
  const served = by.length === 0 ? "no accepted step" : `step ${by.join(", ")}`;
  return `- ${literal(id)} ${literal(text)} (${served})`;
}

function list(title: string, lines: string[]): string {
  if (lines.length === 0) return "";
  const more = lines.length > LINES ? [`… and ${lines.length - LINES} more`] : [];
  return [`## ${title}`, "", ...lines.slice(0, LINES), ...more].join("\n");
}

/** Text of models, in which no person is mentioned and no issue is closed. */
function literal(text: string): string {
  const line = oneLine(text, LINE_CHARS);
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), (run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  const space = /^`|`$/.test(line) ? " " : "";
  return line === "" ? "" : `${fence}${space}${line}${space}${fence}`;
}
