/** What a person may do with a run, each asked once more and answered visibly. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { RunView } from "../../api/answers.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Draft } from "../../core/program.ts";
import { ask, Refused } from "../browser/ask.ts";
import { readProgram, WrongProgram } from "../browser/read-program.ts";
import { needsMore, raiseOf } from "../head-words.ts";
import type { Go } from "../place.ts";
import { actionsFor } from "../timeline.ts";
import { type Action, ActionForm, DONE } from "./action-form.tsx";

interface Given {
  run: RunView;
  program: Draft;
  go: Go;
}

export function Actions({ run, program, go }: Given) {
  // Another one each time: a dialog that was just closed opens anew.
  const [asked, setAsked] = useState<{ action: Action }>();
  const wanted = asked?.action;
  const [answer, setAnswer] = useState<{ says: string; isProblem: boolean }>();
  const dialog = useRef<HTMLDialogElement>(null);
  const written = useRef<string | undefined>(undefined);
  const told = useRef<HTMLSpanElement>(null);

  function open(action: Action): void {
    setAnswer(undefined);
    setAsked({ action });
  }
  /** Escape closes it too; its event "close" would come too late for whoever opens it again at once. */
  function close(): void {
    dialog.current?.close();
    setAsked(undefined);
  }
  // What it asks is there before it opens, so that the focus finds its place in it.
  useEffect(() => {
    if (asked && !dialog.current?.open) dialog.current?.showModal();
  }, [asked]);
  // The button that was pressed may be gone.
  useEffect(() => {
    if (answer && document.activeElement === document.body) told.current?.focus();
  }, [answer]);

  /** Answers what is wrong with what was written: that is said beside it. */
  async function confirm(form: FormData): Promise<string | undefined> {
    if (!wanted) return undefined;
    try {
      await act(run, wanted, form);
      setAnswer({ says: DONE[wanted], isProblem: false });
      if (wanted === "delete") go({ view: "runs" });
    } catch (error) {
      const isWritten = error instanceof WrongProgram || (error instanceof Refused && error.fields.length > 0);
      if (isWritten) return wordsOf(error);
      setAnswer({ says: `${wanted}: ${messageOf(error)}`, isProblem: true });
    }
    close();
    return undefined;
  }

  return (
    <>
      {answer && (
        <span ref={told} class={answer.isProblem ? "lost" : "quiet"} role="status" tabIndex={-1}>
          {answer.says}
        </span>
      )}
      {(actionsFor(run) as Action[]).map((action) => (
        <button key={action} type="button" onClick={() => open(action)}>
          {action === "resume" && needsMore(run) ? "Resume with more" : capital(action)}
        </button>
      ))}
      <dialog ref={dialog} aria-labelledby="asked" onCancel={() => setAsked(undefined)}>
        {wanted && (
          <ActionForm action={wanted} run={run} program={program} written={written} confirm={confirm} close={close} />
        )}
      </dialog>
    </>
  );
}

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

async function act(run: RunView, action: Action, form: FormData): Promise<unknown> {
  const path = `/runs/${run.id}`;
  if (action === "delete") return ask(path, { method: "DELETE" });
  if (action === "reject") return ask(`${path}/approve`, { method: "POST", body: { decision: "reject" } });
  if (action === "approve") {
    const program = readProgram(String(form.get("program")));
    return ask(`${path}/approve`, { method: "POST", body: { decision: "approve", program } });
  }
  const ceiling = String(form.get("ceiling") ?? "").trim();
  const body = action === "resume" && ceiling !== "" ? { budget: { [raiseOf(run).ceiling]: Number(ceiling) } } : {};
  return ask(`${path}/${action}`, { method: "POST", body });
}

/** The field's own words say more than that something is wrong. */
const wordsOf = (error: WrongProgram | Refused): string =>
  error instanceof Refused ? error.fields.map(({ problem }) => problem).join(" ") : error.message;
