/** The confirmation of an action: what it does, what can be changed with it, yes and no. */
import { useState } from "preact/hooks";
import type { RunView } from "../../api/answers.ts";
import { reveal } from "../../core/text/sanitize.ts";
import type { EditedProgram } from "../program-edit.ts";
import { type Action, isRehearsal, needsMore, raiseOf, usedOf } from "../run-summary.ts";

interface Question {
  title: (run: RunView) => string;
  description: (run: RunView) => string;
  yes: string;
  sending: string;
}

const QUESTIONS: Record<Action, Question> = {
  approve: {
    title: () => "Approve the program?",
    description: (run) =>
      `The program is executed as soon as you approve it. ${isRehearsal(run) ? "A rehearsal costs nothing." : "This costs money, up to the ceilings of the run."}`,
    yes: "Yes, approve",
    sending: "Approving…",
  },
  revise: {
    title: () => "Have the model revise the program?",
    description: () =>
      "The model gets your feedback and writes the program again, which then waits for your approval. Changes that you made here are not used.",
    yes: "Yes, revise",
    sending: "Sending…",
  },
  reject: {
    title: () => "Reject the program?",
    description: () => "The run ends and nothing is executed. You can resume it later.",
    yes: "Yes, reject",
    sending: "Rejecting…",
  },
  cancel: {
    title: () => "Cancel this run?",
    description: () => "The run stops after its current turn. Accepted work is kept, and you can resume the run.",
    yes: "Yes, cancel",
    sending: "Cancelling…",
  },
  resume: {
    title: () => "Resume this run?",
    description: (run) =>
      needsMore(run)
        ? "The run reached a ceiling. With a higher one it continues where it stopped."
        : "The run continues where it stopped. Accepted work is not repeated.",
    yes: "Yes, resume",
    sending: "Resuming…",
  },
  delete: {
    title: ({ name }) => `Delete “${name}”?`,
    description: () => "Its files, journal and report are deleted. This cannot be undone.",
    yes: "Yes, delete",
    sending: "Deleting…",
  },
};

export const DONE: Record<Action, string> = {
  approve: "Approved. The program is being executed.",
  revise: "The program is revised.",
  reject: "Rejected.",
  cancel: "The run stops after its current turn.",
  resume: "Resumed.",
  delete: "Deleted.",
};

interface ActionFormProps {
  action: Action;
  run: RunView;
  edited: EditedProgram | undefined;
  /** Returns the problem with what was entered. */
  confirm: (form: FormData) => Promise<string | undefined>;
  close: () => void;
}

export function ActionForm({ action, run, edited, confirm, close }: ActionFormProps) {
  const [wrong, setWrong] = useState<string>();
  const [isSending, setSending] = useState(false);
  const { title, description, yes, sending } = QUESTIONS[action];

  async function send(form: HTMLFormElement): Promise<void> {
    setSending(true);
    const problem = await confirm(new FormData(form));
    setWrong(problem);
    setSending(false);
    if (problem !== undefined) form.querySelector<HTMLElement>("input, textarea")?.focus();
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSending) void send(event.currentTarget);
      }}
    >
      <h2 id="asked" class="asked">
        {reveal(title(run))}
      </h2>
      <p>{description(run)}</p>
      {action === "resume" && usedOf(run) && <p class="quiet">{usedOf(run)}</p>}
      {action === "approve" && edited && <p>Your changes to it are used.</p>}
      {action === "resume" && <CeilingField run={run} wrong={wrong} />}
      {action === "resume" && <Words name="hint" label="Hint for the instruction at which it stopped (optional)" />}
      {action === "revise" && <Words name="feedback" label="What is to change" />}
      {action !== "resume" && <Problem text={wrong} />}
      <p class="answers">
        {/* First in focus order, so that an early Enter does nothing. */}
        <button type="button" onClick={close}>
          No
        </button>
        <button type="submit" class={action === "delete" ? "danger" : "primary"} aria-disabled={isSending}>
          {isSending ? sending : yes}
        </button>
      </p>
    </form>
  );
}

const Problem = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <span class="lost" role="alert">
      {text}
    </span>
  );

const Words = ({ name, label }: { name: string; label: string }) => (
  <label>
    {label}
    <textarea name={name} rows={4} />
  </label>
);

function CeilingField({ run, wrong }: { run: RunView; wrong: string | undefined }) {
  const { label, now, offered } = raiseOf(run);
  return (
    <label>
      {label} {now === undefined ? "(none now)" : `(now ${now})`}
      <input
        name="ceiling"
        inputMode="decimal"
        aria-invalid={wrong !== undefined}
        defaultValue={offered === undefined ? "" : String(offered)}
      />
      <Problem text={wrong} />
    </label>
  );
}
