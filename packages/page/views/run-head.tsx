/** The head of a run: title, status, figures and actions. */

import { useEffect, useRef } from "preact/hooks";
import type { ProgramAnswer, RunView } from "../../../lib/api/answers.ts";
import { copiedWords } from "../../../lib/core/make/copied-steps.ts";
import { filesOf, unacceptedNote } from "../../../lib/core/run/file-count.ts";
import { acceptedOf } from "../../../lib/core/run/run.ts";
import { shortId } from "../../../lib/core/text/format.ts";
import { reveal } from "../../../lib/core/text/sanitize.ts";
import type { RunData } from "../browser/run-data.ts";
import { useNow } from "../browser/use-now.ts";
import type { EditedProgram } from "../program-edit.ts";
import type { Navigate } from "../route.ts";
import { progressOf, spentOf, tabTitle, takenOf, testsOf } from "../run-summary.ts";
import { Actions } from "./actions/actions.tsx";
import { Download } from "./download.tsx";
import { Fact, Share } from "./fact.tsx";
import { RunState } from "./run-state.tsx";

interface RunHeadProps {
  run: RunView;
  data: RunData;
  program: ProgramAnswer;
  edited: EditedProgram | undefined;
  navigate: Navigate;
  /** The user came here from within the page. */
  hasArrived: boolean;
}

export function RunHead({ run, data, program, edited, navigate, hasArrived }: RunHeadProps) {
  const now = useNow();
  const heading = useRef<HTMLHeadingElement>(null);
  // The link that had the focus is gone.
  useEffect(() => {
    if (hasArrived && document.activeElement === document.body) heading.current?.focus();
  }, []);
  const title = reveal(tabTitle(run));
  useEffect(() => {
    document.title = title;
    return () => {
      document.title = "L2MAC";
    };
  }, [title]);
  return (
    <header>
      <div class="head">
        <a class="back" href="#runs">
          All runs
        </a>
        <h1 ref={heading} tabIndex={-1} class="clip" title={reveal(run.title)}>
          {reveal(run.title)}
        </h1>
        <div class="actions">
          <Actions
            run={run}
            program={program}
            edited={edited}
            isOffline={data.outage !== undefined}
            navigate={navigate}
            heading={heading}
          />
          <Download run={run} />
        </div>
      </div>
      <RunState run={run} data={data} now={now} program={program} />
      <Facts run={run} now={now} />
    </header>
  );
}

function Facts({ run, now }: { run: RunView; now: number }) {
  const spent = spentOf(run);
  return (
    <dl class="facts">
      <Fact name="Instructions" value={progressOf(run)}>
        {run.instructions > 0 && <Share label="Instructions done" of={acceptedOf(run) / run.instructions} />}
      </Fact>
      <Fact name="Cost" value={spent.text}>
        {spent.share !== undefined && <Share label="Of the ceiling" of={spent.share} />}
      </Fact>
      {run.copied && <Fact name="Copied" value={copiedWords(run.copied)} />}
      <Fact name="Time" value={takenOf(run, now)} />
      <Fact name="Tests" value={testsOf(run)} />
      <Fact name="Files" value={`${filesOf(run)}${unacceptedNote(run)}`} />
      <Fact name="Turns" value={String(run.turns)} />
      <Fact name="Model" value={reveal(run.profile.model)} />
      <Fact name="Run" value={run.id} isCode />
      {run.forkedFrom && (
        <Fact name="Forked from" value="">
          <a href={`#run=${run.forkedFrom.run}`}>
            <code>{shortId(run.forkedFrom.run)}</code>
          </a>{" "}
          at {run.forkedFrom.at}
        </Fact>
      )}
    </dl>
  );
}
