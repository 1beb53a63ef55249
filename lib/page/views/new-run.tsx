/** Begins a run. What is wrong with it is said beside its field; what cannot be seen here, the API says. */
import { useState } from "preact/hooks";
import { messageOf } from "../../core/text/message-of.ts";
import { ask, Refused } from "../browser/ask.ts";
import { readProgram, WrongProgram } from "../browser/read-program.ts";
import { readAmount } from "../read-amount.ts";

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
    if (isSending) return;
    setSending(true);
    setProblems({ fields: {} });
    try {
      const { id } = await ask<{ id: string }>("/runs", { method: "POST", body: bodyOf(new FormData(form)) });
      onBegun(id);
    } catch (error) {
      const found = problemsIn(error);
      setProblems(found);
      focusOn(form, found);
    } finally {
      setSending(false);
    }
  }

  return (
    <details class="card" open={isOpen}>
      <summary>New run</summary>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void begin(event.currentTarget);
        }}
      >
        <label>
          Task
          <textarea
            name="task"
            rows={5}
            required
            aria-invalid={problems.fields.task !== undefined}
            placeholder="What is to be made, in words."
          />
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
            <input name="model" aria-invalid={problems.fields.model !== undefined} placeholder="as the server is set" />
            <Problem of={problems.fields.model} />
          </label>
          <label>
            Ceiling in US dollars
            <input
              name="usd"
              inputMode="decimal"
              aria-invalid={problems.fields.usd !== undefined}
              placeholder="as the server is set"
            />
            <Problem of={problems.fields.usd} />
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
          <textarea name="program" rows={3} aria-invalid={problems.fields.program !== undefined} />
          <Problem of={problems.fields.program} />
        </label>
        {problems.detail && (
          <p class="lost" role="alert" tabIndex={-1}>
            {problems.detail}
          </p>
        )}
        <button type="submit" class="primary" aria-disabled={isSending}>
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
    task: taskIn(given("task")),
    domain: given("domain"),
    ...(form.has("rehearse") ? { model: "rehearsal" } : given("model") ? { model: given("model") } : {}),
    ...(given("usd") ? { budget: { usd: dollarsIn(given("usd")) } } : {}),
    ...(form.has("approve") ? { approve: "plan" } : {}),
    ...(program ? { program: readProgram(program) } : {}),
  };
}

class WrongField extends Error {
  readonly field: string;
  constructor(field: string, problem: string) {
    super(problem);
    this.field = field;
  }
}

function taskIn(text: string): string {
  if (text === "") throw new WrongField("task", "Say what is to be made.");
  return text;
}

function dollarsIn(text: string): number {
  const amount = readAmount(text, { field: "Ceiling in US dollars" });
  if ("problem" in amount) throw new WrongField("usd", amount.problem);
  return amount.value;
}

/** As the API calls what is written in a field here. */
const FIELDS: Record<string, string> = { "budget.usd": "usd", budget: "usd" };
const SHOWN = ["task", "model", "usd", "program"];

/** What is said beside every field that is wrong is not said below them too. */
function problemsIn(error: unknown): Problems {
  if (error instanceof WrongField) return { fields: { [error.field]: error.message } };
  if (error instanceof WrongProgram) return { fields: { program: error.message } };
  if (!(error instanceof Refused)) return { detail: messageOf(error), fields: {} };
  const fields = error.fields.map(({ field, problem }) => [FIELDS[field] ?? field, problem] as const);
  const isShown = fields.length > 0 && fields.every(([field]) => SHOWN.includes(field));
  return { ...(isShown ? {} : { detail: error.message }), fields: Object.fromEntries(fields) };
}

/** Once it is drawn: on what is to be written anew, or on what was said. */
function focusOn(form: HTMLFormElement, { fields }: Problems): void {
  requestAnimationFrame(() => {
    const wrong = SHOWN.find((field) => fields[field] !== undefined);
    form.querySelector<HTMLElement>(wrong ? `[name="${wrong}"]` : '[role="alert"]')?.focus();
  });
}
