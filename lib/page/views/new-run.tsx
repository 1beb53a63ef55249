/** The form that starts a run. Problems are shown beside their fields. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ask } from "../browser/ask.ts";
import { FIELDS, type Problems, problemsIn, readSubmission } from "../browser/submission.ts";

interface NewRunProps {
  isOpen: boolean;
  onStarted: (id: string) => void;
}

export function NewRun({ isOpen, onStarted }: NewRunProps) {
  const { problems, isSending, submit } = useSubmission(onStarted);
  return (
    <details class="card" open={isOpen}>
      <summary>New run</summary>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSending) void submit(event.currentTarget);
        }}
      >
        <Fields problems={problems.fields} />
        {problems.detail && (
          <p class="lost" role="alert" tabIndex={-1}>
            {problems.detail}
          </p>
        )}
        <button type="submit" class="primary" aria-disabled={isSending}>
          {isSending ? "Starting…" : "Start run"}
        </button>
      </form>
    </details>
  );
}

function useSubmission(onStarted: NewRunProps["onStarted"]) {
  const [problems, setProblems] = useState<Problems>({ fields: {} });
  const [isSending, setSending] = useState(false);
  async function submit(form: HTMLFormElement): Promise<void> {
    setSending(true);
    setProblems({ fields: {} });
    try {
      const body = readSubmission(new FormData(form));
      onStarted((await ask<{ id: string }>("/runs", { method: "POST", body })).id);
    } catch (error) {
      const found = problemsIn(error);
      setProblems(found);
      focusOnProblem(form, found);
    } finally {
      setSending(false);
    }
  }
  return { problems, isSending, submit };
}

/** After the next render: on the first wrong field, or on the message. */
function focusOnProblem(form: HTMLFormElement, { fields }: Problems): void {
  requestAnimationFrame(() => {
    const wrong = FIELDS.find((field) => fields[field] !== undefined);
    form.querySelector<HTMLElement>(wrong ? `[name="${wrong}"]` : '[role="alert"]')?.focus();
  });
}

const Fields = ({ problems: { task, model, usd, program } }: { problems: Problems["fields"] }) => (
  <>
    <Labelled label="Task" problem={task}>
      <textarea name="task" rows={5} required aria-invalid={task !== undefined} placeholder="Describe what to build." />
    </Labelled>
    <div class="fields">
      <label>
        Domain
        <select name="domain">
          <option value="codebase">codebase</option>
          <option value="book">book</option>
        </select>
      </label>
      <Labelled label="Model" problem={model}>
        <input name="model" aria-invalid={model !== undefined} placeholder="server default" />
      </Labelled>
      <Labelled label="Ceiling in US dollars" problem={usd}>
        <input name="usd" inputMode="decimal" aria-invalid={usd !== undefined} placeholder="server default" />
      </Labelled>
    </div>
    <label class="check">
      <input type="checkbox" name="approve" /> Wait for my approval before executing the program
    </label>
    <label class="check">
      <input type="checkbox" name="rehearse" /> Only rehearse: no model, no key, no cost
    </label>
    <Labelled
      label="Program (optional): a Markdown list or JSON, one instruction per item, executed as given"
      problem={program}
    >
      <textarea name="program" rows={3} aria-invalid={program !== undefined} />
    </Labelled>
  </>
);

interface LabelledProps {
  label: string;
  problem: string | undefined;
  children: ComponentChildren;
}

const Labelled = ({ label, problem, children }: LabelledProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
  <label>
    {label}
    {children}
    {problem && (
      <span class="lost" role="alert">
        {problem}
      </span>
    )}
  </label>
);
