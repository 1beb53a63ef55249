/** What a person may do with a run, each asked once more and answered visibly. */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RunView } from "../../api/answers.ts";
import type { Draft } from "../../core/program/program.ts";
import { messageOf } from "../../core/text/message-of.ts";
import { ask, Refused } from "../browser/ask.ts";
import { Lost } from "../browser/failures.ts";
import { readProgram, WrongProgram } from "../browser/read-program.ts";
import { ceilingIn, needsMore, raiseOf } from "../head-words.ts";
import { isOver, type Notice } from "../notice.ts";
import type { Go } from "../place.ts";
import type { Amount } from "../read-amount.ts";
import { actionsFor } from "../timeline.ts";
import { type Action, ActionForm, DONE } from "./action-form.tsx";

interface Given {
  run: RunView;
  program: Draft;
  /** The server does not answer. */
  isAway: boolean;
  go: Go;
  /** Has the focus where what had it goes. */
  heading: RefObject<HTMLElement | null>;
}

export function Actions({ run, program, isAway, go, heading }: Given) {
  // Another one each time: a dialog that was just closed opens anew.
  const [asked, setAsked] = useState<{ action: Action }>();
  const wanted = asked?.action;
  const [answer, setAnswer] = useState<Notice>();
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
  // The button that was pressed may be gone, now or soon.
  useEffect(() => {
    if (answer) told.current?.focus();
  }, [answer]);
  const isAnswerOver = answer !== undefined && isOver(answer, run);
  // Nobody answered, and now somebody does.
  useEffect(() => {
    if (!isAway) return;
    return () => setAnswer((said) => (said?.problem === "lost" ? undefined : said));
  }, [isAway]);
  useEffect(() => {
    if (!isAnswerOver) return;
    if (document.activeElement === told.current) heading.current?.focus();
    setAnswer(undefined);
  }, [isAnswerOver]);

  /** Answers what is wrong with what was written: that is said beside it. */
  async function confirm(form: FormData): Promise<string | undefined> {
    if (!wanted) return undefined;
    const { status, updatedAt } = run;
    const before = { status, updatedAt };
    const amount = wanted === "resume" ? amountIn(run, form) : undefined;
    if (amount && "problem" in amount) return amount.problem;
    try {
      await act(run, wanted, form);
      setAnswer({ says: DONE[wanted], before });
      if (wanted === "delete") go({ view: "runs" });
    } catch (error) {
      const isWritten = error instanceof WrongProgram || (error instanceof Refused && error.fields.length > 0);
      if (isWritten) return wordsOf(error);
      const problem = error instanceof Lost ? "lost" : "refused";
      setAnswer({ says: `${wanted}: ${messageOf(error)}`, problem, before });
    }
    close();
    return undefined;
  }

  return (
    <>
      {answer && (
        <span ref={told} class={answer.problem ? "lost" : "quiet"} role="status" tabIndex={-1}>
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
  const amount = action === "resume" ? amountIn(run, form) : undefined;
  const body = amount && "value" in amount ? { budget: { [raiseOf(run).ceiling]: amount.value } } : {};
  return ask(`${path}/${action}`, { method: "POST", body });
}

/** Undefined: it goes on with the ceiling that it has. */
function amountIn(run: RunView, form: FormData): Amount | undefined {
  const written = String(form.get("ceiling") ?? "").trim();
  return written === "" && !needsMore(run) ? undefined : ceilingIn(run, written);
}

/** The field's own words say more than that something is wrong. */
const wordsOf = (error: WrongProgram | Refused): string =>
  error instanceof Refused ? error.fields.map(({ problem }) => problem).join(" ") : error.message;
