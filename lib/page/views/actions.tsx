/** What a person may do with a run, each asked once more and answered visibly. */
import { useRef, useState } from "preact/hooks";
import type { RunView } from "../../api/answers.ts";
import type { Draft } from "../../core/program.ts";
import { ask } from "../browser/ask.ts";
import { actionsFor } from "../timeline.ts";
import type { Go } from "./run-page.tsx";

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
  const dialog = useRef<HTMLDialogElement>(null);

  function open(action: string): void {
    setAnswer(undefined);
    setWanted(action);
    dialog.current?.showModal();
  }

  async function confirm(form: FormData): Promise<void> {
    dialog.current?.close();
    if (!wanted) return;
    try {
      await act(run.id, wanted, form);
      setAnswer(`${wanted}: done.`);
      if (wanted === "delete") go({ view: "runs" });
    } catch (error) {
      setAnswer(`${wanted}: ${error instanceof Error ? error.message : String(error)}`);
    }
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
          {wanted === "approve" && <ProgramField program={program} />}
          {wanted === "resume" && <CeilingField usd={run.options.budget.usd} />}
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

const ProgramField = ({ program }: { program: Draft }) => (
  <label>
    The program, which may be changed here before it is executed
    <textarea name="program" rows={14} spellcheck={false} defaultValue={JSON.stringify(program, undefined, 2)} />
  </label>
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
    const program = JSON.parse(String(form.get("program"))) as unknown;
    return ask(`${path}/approve`, { method: "POST", body: { decision: "approve", program } });
  }
  const usd = Number(form.get("usd") ?? "");
  const body = action === "resume" && usd > 0 ? { budget: { usd } } : {};
  return ask(`${path}/${action}`, { method: "POST", body });
}
