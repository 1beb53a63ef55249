/** The facts of a result: how it is started, what was checked, what it cost, where it is. */

import type { ComponentChildren } from "preact";
import type { RunView } from "../../../../lib/api/answers.ts";
import { startCommandOf } from "../../../../lib/core/run/delivery-check.ts";
import { filesOf } from "../../../../lib/core/run/file-count.ts";
import { acceptedOf } from "../../../../lib/core/run/run.ts";
import { amount, pluralize, size } from "../../../../lib/core/text/format.ts";
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import { isRehearsal, spentOf, takenOf } from "../../run-summary.ts";
import { CopyButton } from "../copy-button.tsx";

export function ResultFacts({ run }: { run: RunView }) {
  const start = run.smoke && startCommandOf(run.smoke);
  return (
    <dl class="result-facts">
      {start !== undefined && (
        <Row name="Start it">
          <code class="command">{reveal(start)}</code> <CopyButton text={start} label="Copy the command" />
        </Row>
      )}
      <Row name="Tests">{testsLine(run)}</Row>
      {run.smoke && (
        <Row name="Clean-room check">
          <span class={run.smoke.status === "passed" ? "good" : "odd"}>
            {run.smoke.status === "passed" ? "passed" : "not passed"}
          </span>
          : {reveal(run.smoke.detail)}
        </Row>
      )}
      {run.unchecked.length > 0 && (
        <Row name="Unchecked">
          <span class="odd">{reveal(run.unchecked.join("; "))}</span>
        </Row>
      )}
      <Row name="Files">{filesLine(run)}</Row>
      <Row name="Cost">{costLine(run)}</Row>
    </dl>
  );
}

const Row = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

function testsLine({ testsTotal, testsPassed, knownRed, givenTests, amended, options }: RunView): string {
  const own = testsTotal > 0 ? `${testsPassed} of ${testsTotal} passed` : options.runTests ? "none" : "not run";
  return [
    own,
    ...(knownRed ? [`${knownRed} known red`] : []),
    ...(givenTests ? [`of yours ${givenTests.passed} of ${givenTests.total}`] : []),
    ...(amended ? [`${pluralize(amended, "locked test")} amended`] : []),
  ].join(" · ");
}

function filesLine(run: RunView): string {
  const of = `${acceptedOf(run)} of ${pluralize(run.instructions, "instruction")}`;
  const bytes = run.outputDigest?.bytes ?? run.packedBytes;
  return `${pluralize(filesOf(run), "file")} from ${of}; ${size(bytes)} as a zip`;
}

function costLine(run: RunView): string {
  const time = `${takenOf(run, Date.now())} of computing`;
  if (isRehearsal(run)) return `nothing, this was a rehearsal · ${time}`;
  const tokens = `${amount(run.inputTokens)} tokens in, ${amount(run.outputTokens)} out`;
  return `${spentOf(run).text} · ${tokens} · ${time} · ${reveal(run.profile.model)}`;
}
