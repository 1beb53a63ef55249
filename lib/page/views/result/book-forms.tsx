/** The readable forms of a book: each is saved by itself. */
import { useState } from "preact/hooks";
import type { RunView } from "../../../api/answers.ts";
import { messageOf } from "../../../core/errors.ts";
import type { TaskDocument } from "../../../core/run/task.ts";
import { ask } from "../../browser/ask.ts";
import { fileOfOutput } from "../../browser/output.ts";
import { save } from "../../browser/save.ts";
import { useAnswer } from "../../browser/use-answer.ts";

type Task = Pick<TaskDocument, "pack">;

export function BookForms({ run }: { run: RunView }) {
  const path = run.status === "completed" ? `/runs/${run.id}/task` : undefined;
  const task = useAnswer(path, (signal) => ask<Task>(`/runs/${run.id}/task`, { signal }));
  const [problem, setProblem] = useState<string>();
  const forms = task && "value" in task ? (task.value.pack.declaration.deliver ?? []) : [];
  if (forms.length === 0) return null;

  async function saveForm(form: string): Promise<void> {
    setProblem(undefined);
    try {
      const name = `${run.name}.${form}`;
      save(name, await fileOfOutput(run.id, name));
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  return (
    <p class="actions">
      {forms.map((form) => (
        <button key={form} type="button" onClick={() => void saveForm(form)}>
          Save as {form.toUpperCase()}
        </button>
      ))}
      {problem && (
        <span class="lost" role="alert">
          {problem}
        </span>
      )}
    </p>
  );
}
