/** The readable forms of a book: each is saved by itself; HTML is shown here, and PDF in a tab of its own. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { RunView } from "../../../../lib/api/answers.ts";
import { messageOf } from "../../../../lib/core/errors.ts";
import type { TaskDocument } from "../../../../lib/core/run/task.ts";
import { ask } from "../../browser/ask.ts";
import { fileOfOutput } from "../../browser/output.ts";
import { save } from "../../browser/save.ts";
import { useAnswer } from "../../browser/use-answer.ts";
import { HtmlPreview } from "./html-preview.tsx";
import { OpenPdf } from "./open-pdf.tsx";

type Task = Pick<TaskDocument, "pack">;
type Bytes = Uint8Array<ArrayBuffer>;

interface BookFormsProps {
  run: RunView;
  /** Shown while there is no preview. */
  children: ComponentChildren;
}

export function BookForms({ run, children }: BookFormsProps) {
  const path = run.status === "completed" ? `/runs/${run.id}/task` : undefined;
  const task = useAnswer(path, (signal) => ask<Task>(`/runs/${run.id}/task`, { signal }));
  const [problem, setProblem] = useState<string>();
  const [html, setHtml] = useState<Bytes>();
  const [pdf, setPdf] = useState<Bytes>();
  const forms = task && "value" in task ? (task.value.pack.declaration.deliver ?? []) : [];

  async function withForm(form: string, use: (bytes: Bytes, name: string) => void): Promise<void> {
    setProblem(undefined);
    try {
      const name = `${run.name}.${form}`;
      use(await fileOfOutput(run.id, name), name);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  const preview = (): unknown => (html ? setHtml(undefined) : withForm("html", setHtml));
  return (
    <>
      <p class="actions">
        {forms.includes("html") && (
          <button type="button" aria-pressed={html !== undefined} onClick={() => void preview()}>
            Preview as HTML
          </button>
        )}
        {forms.includes("pdf") && <OpenPdf bytes={pdf} load={() => void withForm("pdf", setPdf)} />}
        {forms.map((form) => (
          <button key={form} type="button" onClick={() => void withForm(form, (bytes, name) => save(name, bytes))}>
            Save as {form.toUpperCase()}
          </button>
        ))}
        {problem && (
          <span class="lost" role="alert">
            {problem}
          </span>
        )}
      </p>
      {html ? <HtmlPreview bytes={html} /> : children}
    </>
  );
}
