/** Downloads the output of a run as one zip: what it delivered, or what is accepted so far. */
import { useState } from "preact/hooks";
import type { RunView } from "../../../lib/api/answers.ts";
import { messageOf } from "../../../lib/core/errors.ts";
import { isEnded } from "../../../lib/core/run/run.ts";
import { size } from "../../../lib/core/text/format.ts";
import { ask } from "../browser/ask.ts";
import { type OutputLink, openLink } from "../browser/output.ts";
import { useAnswer } from "../browser/use-answer.ts";

/** Bytes of a zip with nothing in it. */
const EMPTY_ZIP = 22;

export function Download({ run }: { run: RunView }) {
  const [problem, setProblem] = useState<string>();
  const isOver = isEnded(run.status);
  const path = `/runs/${run.id}/output${isOver ? "" : `?at=${run.packed}`}`;
  const hasFiles = run.packed >= 0 && run.packedBytes > EMPTY_ZIP;
  // What it delivers may hold more than its pack: a book that can be read.
  const output = useAnswer(isOver && hasFiles ? `${path} ${run.updatedAt}` : undefined, (signal) =>
    ask<OutputLink>(path, { signal }),
  );
  if (!hasFiles) return null;
  const bytes = output && "value" in output ? output.value.bytes : run.packedBytes;

  /** Links die soon: each is asked for when it is used. */
  async function download(): Promise<void> {
    setProblem(undefined);
    try {
      openLink((await ask<OutputLink>(path)).url);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  return (
    <>
      <button type="button" class={run.status === "completed" ? "primary" : ""} onClick={() => void download()}>
        {isOver ? "Download" : "Download so far"} ({size(bytes)})
      </button>
      {problem && (
        <span class="lost" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}
