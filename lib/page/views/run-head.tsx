/** What is seen of a run at first sight: what it is, how it stands in numbers, what may be done with it. */

import { useEffect, useRef } from "preact/hooks";
import type { ProgramAnswer, RunView } from "../../api/answers.ts";
import { acceptedOf } from "../../core/run/run.ts";
import { reveal } from "../../core/text/sanitize.ts";
import type { RunData } from "../browser/run-data.ts";
import { useNow } from "../browser/use-now.ts";
import { progressOf, spentOf, tabTitle, takenOf } from "../head-words.ts";
import type { Go } from "../place.ts";
import { Actions } from "./actions.tsx";
import { Download } from "./download.tsx";
import { Fact, Share } from "./fact.tsx";
import { RunState } from "./run-state.tsx";

interface Given {
  run: RunView;
  data: RunData;
  program: ProgramAnswer;
  go: Go;
  /** Somebody came here from within the page. */
  hasArrived: boolean;
}

export function RunHead({ run, data, program, go, hasArrived }: Given) {
  const now = useNow();
  const heading = useRef<HTMLHeadingElement>(null);
  // What was pressed to come here is gone.
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
          <Actions run={run} program={program} isAway={data.away !== undefined} go={go} heading={heading} />
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
      <Fact is="Instructions" says={progressOf(run)}>
        {run.instructions > 0 && <Share label="Instructions that are done" of={acceptedOf(run) / run.instructions} />}
      </Fact>
      <Fact is="Cost" says={spent.says}>
        {spent.share !== undefined && <Share label="Of the ceiling" of={spent.share} />}
      </Fact>
      <Fact is="Time" says={takenOf(run, now)} />
      <Fact is="Tests" says={run.testsTotal > 0 ? `${run.testsPassed}/${run.testsTotal}` : "–"} />
      <Fact is="Files" says={String(run.files)} />
      <Fact is="Turns" says={String(run.turns)} />
      <Fact is="Model" says={reveal(run.profile.model)} />
      <Fact is="Run" says={run.id} isCode />
    </dl>
  );
}
