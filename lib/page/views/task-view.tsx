/** The task as it was given, word for word. */
import { ask } from "../browser/ask.ts";
import { useAnswer } from "../browser/use-answer.ts";
import { Code } from "./code.tsx";
import { Late } from "./late.tsx";

export function TaskView({ id }: { id: string }) {
  const path = `/runs/${id}/task`;
  const answered = useAnswer(path, (signal) => ask<{ task: string }>(path, { signal }));
  return (
    <section class="instruction" aria-label="The task">
      <h2>The task</h2>
      {!answered ? (
        <Late what="Opening" />
      ) : "problem" in answered ? (
        <p class="lost">{answered.problem}</p>
      ) : (
        <Code>{answered.value.task}</Code>
      )}
    </section>
  );
}
