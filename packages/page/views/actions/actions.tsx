/** The buttons that change a run: each asks for confirmation, then reports what happened. */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ProgramAnswer, RunView } from "../../../../lib/api/answers.ts";
import { messageOf } from "../../../../lib/core/errors.ts";
import { act, problemsInForm } from "../../browser/act.ts";
import { Lost } from "../../browser/failures.ts";
import type { Problems } from "../../browser/wrong-field.ts";
import { isOutdated, type Notice } from "../../notice.ts";
import type { EditedProgram } from "../../program-edit.ts";
import type { Navigate } from "../../route.ts";
import { type Action, actionsFor } from "../../run-summary.ts";
import { ActionForm } from "./action-form.tsx";
import { QUESTIONS } from "./questions.ts";

interface ActionsProps {
  run: RunView;
  program: ProgramAnswer;
  /** The program as it was changed here; undefined: it was not. */
  edited: EditedProgram | undefined;
  /** The server does not answer. */
  isOffline: boolean;
  navigate: Navigate;
  /** Gets the focus when the focused element disappears. */
  heading: RefObject<HTMLElement | null>;
}

export function Actions({ run, program, edited, isOffline, navigate, heading }: ActionsProps) {
  const dialog = useDialog();
  const { notice, setNotice, shown } = useNotice({ run, isOffline, heading });

  /** Returns the problems with what was entered, which are shown beside their fields. */
  async function confirm(form: FormData): Promise<Problems | undefined> {
    const { action } = dialog;
    if (!action) return undefined;
    const before = { status: run.status, updatedAt: run.updatedAt };
    try {
      const { id } = await act(run, action, { form, edited });
      setNotice({ text: QUESTIONS[action].done, before });
      if (action === "delete") navigate({ view: "runs" });
      if (action === "back" || action === "fork" || action === "after") navigate({ view: "run", id });
    } catch (error) {
      const inForm = problemsInForm(error, { run, action, form });
      if (inForm !== undefined) return inForm;
      const problem = error instanceof Lost ? "lost" : "refused";
      setNotice({ text: `${action}: ${messageOf(error)}`, problem, before });
    }
    dialog.close();
    return undefined;
  }

  return (
    <>
      {notice && (
        <span ref={shown} class={notice.problem ? "lost" : "quiet"} role="status" tabIndex={-1}>
          {notice.text}
        </span>
      )}
      {actionsFor(run).map((action) => (
        <button
          key={action}
          type="button"
          class={PRIMARY.has(action) ? "primary" : ""}
          onClick={() => {
            setNotice(undefined);
            dialog.open(action);
          }}
        >
          {QUESTIONS[action].button(run)}
        </button>
      ))}
      <dialog ref={dialog.element} aria-labelledby="asked" onCancel={dialog.close}>
        {dialog.action && (
          <ActionForm action={dialog.action} close={dialog.close} {...{ run, program, edited, confirm }} />
        )}
      </dialog>
    </>
  );
}

const PRIMARY: ReadonlySet<Action> = new Set(["approve", "answer", "resume"]);

function useDialog() {
  // An object, so that opening the same action again is a change.
  const [chosen, setChosen] = useState<{ action: Action }>();
  const element = useRef<HTMLDialogElement>(null);
  // Opened after its content is rendered, so that the focus moves into it.
  useEffect(() => {
    if (chosen && !element.current?.open) element.current?.showModal();
  }, [chosen]);
  return {
    element,
    action: chosen?.action,
    open: (action: Action) => setChosen({ action }),
    close(): void {
      element.current?.close();
      setChosen(undefined);
    },
  };
}

/** What the last action did, until the run has moved on. */
function useNotice({ run, isOffline, heading }: Pick<ActionsProps, "run" | "isOffline" | "heading">) {
  const [notice, setNotice] = useState<Notice>();
  const shown = useRef<HTMLSpanElement>(null);
  // The button that was pressed may disappear: the focus goes to the notice.
  useEffect(() => {
    if (notice) shown.current?.focus();
  }, [notice]);
  // The server answers again.
  useEffect(() => {
    if (!isOffline) return;
    return () => setNotice((last) => (last?.problem === "lost" ? undefined : last));
  }, [isOffline]);
  const isOver = notice !== undefined && isOutdated(notice, run);
  useEffect(() => {
    if (!isOver) return;
    if (document.activeElement === shown.current) heading.current?.focus();
    setNotice(undefined);
  }, [isOver]);
  return { notice, setNotice, shown };
}
