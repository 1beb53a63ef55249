/** Begins a run. What is wrong with it, the API says. */
import { useState } from "preact/hooks";
import { messageOf } from "../../core/message-of.ts";
import { ask, Refused } from "../browser/ask.ts";
import { readProgram, WrongProgram } from "../browser/read-program.ts";

interface Problems {
  detail?: string;
  fields: Record<string, string>;
}

interface Given {
  isOpen: boolean;
  onBegun: (id: string) => void;
}

export function NewRun({ isOpen, onBegun }: Given) {
  const [problems, setProblems] = useState<Problems>({ fields: {} });
  const [isSending, setSending] = useState(false);

  async function begin(form: HTMLFormElement): Promise<void> {
    setSending(true);
    setProblems({ fields: {} });
    try {
      const { id } = await ask<{ id: string }>("/runs", { method: "POST", body: bodyOf(new FormData(form)) });
      onBegun(id);
    } catch (error) {
      setProblems(problemsIn(error));
    } finally {
      setSending(false);
    }
  }

  return (
    <details class="card" open={isOpen}>
      <summary>New run</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void begin(event.currentTarget);
        }}
      >
        <label>
          Task
          <textarea name="task" rows={5} required placeholder="What is to be made, in words." />
          <Problem of={problems.fields.task} />
        </label>
        <div class="fields">
          <label>
            Domain
            <select name="domain">
              <option value="codebase">codebase</option>
              <option value="book">book</option>
            </select>
          </label>
          <label>
            Model
            <input name="model" placeholder="as the server is set" />
            <Problem of={problems.fields.model} />
          </label>
          <label>
            Ceiling in US dollars
            <input name="usd" inputMode="decimal" placeholder="as the server is set" />
            <Problem of={problems.fields["budget.usd"] ?? problems.fields.budget} />
          </label>
        </div>
        <label class="check">
          <input type="checkbox" name="approve" /> Show me the program before any of it is executed
        </label>
        <label class="check">
          <input type="checkbox" name="rehearse" /> Only rehearse: no model, no key, no cost
        </label>
        <label>
          Program (optional: a Markdown list or JSON, one instruction to an item, executed as it is)
          <textarea name="program" rows={3} />
          <Problem of={problems.fields.program} />
        </label>
        {problems.detail && (
          <p class="lost" role="alert">
            {problems.detail}
          </p>
        )}
        <button type="submit" class="primary" disabled={isSending}>
          {isSending ? "Beginning…" : "Begin"}
        </button>
      </form>
    </details>
  );
}

const Problem = ({ of }: { of: string | undefined }) =>
  of ? (
    <span class="lost" role="alert">
      {of}
    </span>
  ) : null;

function bodyOf(form: FormData): Record<string, unknown> {
  const given = (name: string): string => String(form.get(name) ?? "").trim();
  const program = given("program");
  return {
    task: given("task"),
    domain: given("domain"),
    ...(form.has("rehearse") ? { model: "rehearsal" } : given("model") ? { model: given("model") } : {}),
    ...(given("usd") ? { budget: { usd: Number(given("usd")) } } : {}),
    ...(form.has("approve") ? { approve: "plan" } : {}),
    ...(program ? { program: readProgram(program) } : {}),
  };
}

function problemsIn(error: unknown): Problems {
  if (error instanceof WrongProgram) return { fields: { program: error.message } };
  if (!(error instanceof Refused)) return { detail: messageOf(error), fields: {} };
  return {
    detail: error.message,
    fields: Object.fromEntries(error.fields.map(({ field, problem }) => [field, problem])),
  };
}
