/** What a person may do with a run, each asked once more and answered visibly. */
import { useRef, useState } from "preact/hooks";
import type { RunView } from "../../api/answers.ts";
import type { Draft } from "../../core/program.ts";
import { renderProgramMarkdown } from "../../core/program-text.ts";
import { ask, messageOf, Refused } from "../browser/ask.ts";
import { readProgram, WrongProgram } from "../browser/read-program.ts";
import type { Go } from "../place.ts";
import { actionsFor } from "../timeline.ts";

interface Given {
  run: RunView;
  program: Draft;
  go: Go;
}

const SAYS: Record<string, (run: RunView) => string> = {
  cancel: () => "Stop this run? What is accepted is kept, and resume goes on with it.",
  resume: () => "Go on with this run from where it stands?",
  approve: () => "Execute this program? From then on it costs money, up to the run's ceilings.",
  reject: () => "Reject the program? The run ends, and can be resumed.",
  delete: ({ name }) => `Remove all of "${name}"? Its files, journal and report are gone then.`,
};

export function Actions({ run, program, go }: Given) {
  const [wanted, setWanted] = useState<string>();
  const [answer, setAnswer] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const dialog = useRef<HTMLDialogElement>(null);

  function open(action: string): void {
    setAnswer(undefined);
    setWrong(undefined);
    setWanted(action);
    dialog.current?.showModal();
  }

  /** What is wrong with what was written is said beside it. */
  async function confirm(form: FormData): Promise<void> {
    if (!wanted) return;
    try {
      await act(run.id, wanted, form);
      setAnswer(`${wanted}: done.`);
      if (wanted === "delete") go({ view: "runs" });
    } catch (error) {
      const isWritten = error instanceof WrongProgram || (error instanceof Refused && error.fields.length > 0);
      if (isWritten) return setWrong(wordsOf(error));
      setAnswer(`${wanted}: ${messageOf(error)}`);
    }
    dialog.current?.close();
  }

  return (
    <div class="actions">
      {actionsFor(run).map((action) => (
        <button key={action} type="button" onClick={() => open(action)}>
          {action[0]?.toUpperCase()}
          {action.slice(1)}
        </button>
      ))}
      {answer && <span role="status">{answer}</span>}
      <dialog ref={dialog} aria-label={wanted ?? "action"}>
        <form
          method="dialog"
          onSubmit={(event) => {
            event.preventDefault();
            void confirm(new FormData(event.currentTarget));
          }}
        >
          <p>{wanted && SAYS[wanted]?.(run)}</p>
          {wanted === "approve" && <ProgramField program={program} wrong={wrong} />}
          {wanted === "resume" && <CeilingField usd={run.options.budget.usd} />}
          {wanted !== "approve" && <Wrong says={wrong} />}
          <p class="actions">
            <button type="submit">Yes, {wanted}</button>
            <button type="button" onClick={() => dialog.current?.close()}>
              No
            </button>
          </p>
        </form>
      </dialog>
    </div>
  );
}

const ProgramField = ({ program, wrong }: { program: Draft; wrong: string | undefined }) => (
  <label>
    The program, which may be changed here before it is executed: a list, one instruction to an item
    <textarea
      name="program"
      rows={18}
      spellcheck={false}
      aria-invalid={wrong !== undefined}
      defaultValue={renderProgramMarkdown(program)}
    />
    <Wrong says={wrong} />
  </label>
);

const Wrong = ({ says }: { says: string | undefined }) =>
  says === undefined ? null : (
    <span class="lost" role="alert">
      {says}
    </span>
  );

const CeilingField = ({ usd }: { usd: number | undefined }) => (
  <label>
    Ceiling in US dollars
    <input name="usd" inputMode="decimal" defaultValue={usd === undefined ? "" : String(usd)} />
  </label>
);

async function act(id: string, action: string, form: FormData): Promise<unknown> {
  const path = `/runs/${id}`;
  if (action === "delete") return ask(path, { method: "DELETE" });
  if (action === "reject") return ask(`${path}/approve`, { method: "POST", body: { decision: "reject" } });
  if (action === "approve") {
    const program = readProgram(String(form.get("program")));
    return ask(`${path}/approve`, { method: "POST", body: { decision: "approve", program } });
  }
  const usd = Number(form.get("usd") ?? "");
  const body = action === "resume" && usd > 0 ? { budget: { usd } } : {};
  return ask(`${path}/${action}`, { method: "POST", body });
}

/** The field's own words say more than that something is wrong. */
const wordsOf = (error: WrongProgram | Refused): string =>
  error instanceof Refused ? error.fields.map(({ problem }) => problem).join(" ") : error.message;
