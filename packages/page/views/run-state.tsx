/** The status of a run: why, what it waits for, what is kept, and what to do next. */

import type { ProgramAnswer, RunView } from "../../../lib/api/answers.ts";
import { endingWords, HERE } from "../../../lib/core/run/ending-words.ts";
import { filesOf } from "../../../lib/core/run/file-count.ts";
import { commandLine } from "../../../lib/core/text/command-line.ts";
import { reveal } from "../../../lib/core/text/sanitize.ts";
import { isElsewhere } from "../browser/ask.ts";
import type { RunData } from "../browser/run-data.ts";
import { hashOf } from "../route.ts";
import { ceilingWarning, isWorking, statusLine } from "../run-summary.ts";
import { colourOf, underwayWords, waitedFor, waitingFor } from "../words.ts";
import { OutageNotice } from "./waiting.tsx";

interface RunStateProps {
  run: RunView;
  data: RunData;
  program: ProgramAnswer;
  now: number;
}

export function RunState({ run, data, program, now }: RunStateProps) {
  const { outage, underway } = data;
  const newsAt = data.newsAt ?? run.updatedAt;
  // Where nothing but its own words is to be said of it, they stand above.
  const waits = run.waitUntil !== undefined || !run.detail ? waitingFor(run, now) : undefined;
  const warning = ceilingWarning(run);
  return (
    <div class="standing">
      <p>
        <span class={`dot ${colourOf(run)}`} /> {reveal(statusLine(run))}
        {isWorking(run) && <span class="quiet"> · {waitedFor(run, now - Date.parse(newsAt))}</span>}
      </p>
      {underway && <p class="quiet">{underwayWords(underway)}</p>}
      {waits && <p>{waits}</p>}
      {warning && <p class="warning">{warning}</p>}
      {run.unchecked.length > 0 && !run.detail?.includes(run.unchecked.join("; ")) && (
        <p class="quiet">Unchecked: {reveal(run.unchecked.join("; "))}</p>
      )}
      <StuckInstructions run={run} program={program} />
      <Ending run={run} />
      {outage && <OutageNotice outage={outage} />}
    </div>
  );
}

/** Where the evidence is. */
function StuckInstructions({ run: { id }, program }: Pick<RunStateProps, "run" | "program">) {
  const stuck = program.instructions.filter(({ trap }) => trap);
  if (stuck.length === 0) return null;
  return (
    <p>
      Evidence:{" "}
      {stuck.map(({ number, title }, index) => (
        <span key={number}>
          {index > 0 && ", "}
          <a href={hashOf({ view: "run", id, instruction: number, tab: "transcript" })}>
            {number} {reveal(title)}
          </a>
        </span>
      ))}
    </p>
  );
}

const STOPPED = ["partial", "failed", "cancelled", "waiting"];

/** What is in no other place of the page: what was not accepted, and what to do. */
function Ending({ run }: { run: RunView }) {
  const standsStill = STOPPED.includes(run.status) && run.waitUntil === undefined;
  if (!standsStill && run.reason !== "unchecked") return null;
  const place = isElsewhere ? { remoteFlag: ["--remote"], elsewhere: true } : HERE;
  const launcher = document.documentElement.dataset.typed ?? "l2mac";
  const { next } = endingWords(run, { files: filesOf(run), place });
  if (next.length === 0) return null;
  return (
    <dl class="ending" aria-label="What to do">
      <dt>Next</dt>
      {next.map((each) => (
        <dd key={commandLine(each, launcher)}>
          <code>{commandLine(each, launcher)}</code>
          {each.note && ` (${each.note})`}
        </dd>
      ))}
    </dl>
  );
}
