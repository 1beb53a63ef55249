/** Deletes the selected runs, after a confirmation. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { RunView } from "../../../../lib/api/answers.ts";
import { messageOf } from "../../../../lib/core/errors.ts";
import { pluralize } from "../../../../lib/core/text/format.ts";
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import { ask } from "../../browser/ask.ts";

interface DeleteManyProps {
  runs: RunView[];
  /** Those that are gone, or whose selection is given up. */
  unselect: (ids: string[]) => void;
}

export function DeleteMany({ runs, unselect }: DeleteManyProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [said, setSaid] = useState<{ text: string; isProblem: boolean }>();
  const [isSending, setSending] = useState(false);
  const shown = useRef<HTMLSpanElement>(null);
  // The button is gone with the selection.
  useEffect(() => {
    if (said) shown.current?.focus();
  }, [said]);

  async function deleteAll(): Promise<void> {
    setSending(true);
    const { deleted, problems } = await deleteEach(runs);
    setSending(false);
    dialog.current?.close();
    unselect(deleted);
    setSaid({
      text: [`Deleted ${pluralize(deleted.length, "run")}.`, ...problems].join(" "),
      isProblem: problems.length > 0,
    });
  }

  const count = pluralize(runs.length, "run");
  return (
    <div class="selection">
      {runs.length > 0 && (
        <button type="button" onClick={() => dialog.current?.showModal()}>
          Delete {count}
        </button>
      )}
      {said && (
        <span ref={shown} class={said.isProblem ? "lost" : "quiet"} role="status" tabIndex={-1}>
          {said.text}
        </span>
      )}
      <dialog ref={dialog} aria-labelledby="deleted">
        <h2 id="deleted" class="asked">
          Delete {count}?
        </h2>
        <p>Files, journal and report of each are deleted. This cannot be undone.</p>
        <ul class="values">
          {runs.map(({ id, name }) => (
            <li key={id}>{reveal(name)}</li>
          ))}
        </ul>
        <p class="answers">
          <button type="button" onClick={() => dialog.current?.close()}>
            No
          </button>
          <button type="button" class="danger" aria-disabled={isSending} onClick={() => !isSending && void deleteAll()}>
            {isSending ? "Deleting…" : `Yes, delete ${count}`}
          </button>
        </p>
      </dialog>
    </div>
  );
}

async function deleteEach(runs: RunView[]): Promise<{ deleted: string[]; problems: string[] }> {
  const deleted: string[] = [];
  const problems: string[] = [];
  for (const { id, name } of runs) {
    try {
      await ask(`/runs/${id}`, { method: "DELETE" });
      deleted.push(id);
    } catch (error) {
      problems.push(`${reveal(name)}: ${messageOf(error)}`);
    }
  }
  return { deleted, problems };
}
