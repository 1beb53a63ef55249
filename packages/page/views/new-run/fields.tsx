/** The fields of a new run that most people use. */
import { useRef } from "preact/hooks";
import type { ServerAnswer } from "../../../../lib/api/answers.ts";
import { Domain } from "../../../../lib/core/run/options.ts";
import type { Problems } from "../../browser/wrong-field.ts";
import { EXAMPLES } from "../../example-tasks.ts";
import { KNOWN_MODELS, KnownModels } from "../form/known-models.tsx";
import { Labelled } from "../form/labelled.tsx";

interface FieldsProps {
  problems: Problems["fields"];
  server: ServerAnswer | undefined;
}

export function Fields({ problems, server }: FieldsProps) {
  const { task } = problems;
  const text = useRef<HTMLTextAreaElement>(null);
  const domain = useRef<HTMLSelectElement>(null);
  function fill(name: string): void {
    const example = EXAMPLES.find((each) => each.name === name);
    if (!example || !text.current || !domain.current) return;
    text.current.value = example.task;
    domain.current.value = example.domain;
  }
  return (
    <>
      <Labelled label="Task" problem={task}>
        <textarea
          ref={text}
          name="task"
          rows={5}
          required
          aria-invalid={task !== undefined}
          placeholder="Describe what to build."
        />
      </Labelled>
      <div class="fields">
        <label>
          Example to begin with
          <select onChange={(event) => fill(event.currentTarget.value)}>
            <option value="">none</option>
            {EXAMPLES.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Domain
          <select ref={domain} name="domain">
            {Domain.options.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <ModelFields problems={problems} server={server} />
      </div>
      <KeyState server={server} />
      <label class="check">
        <input type="checkbox" name="approve" /> Wait for my approval before executing the program
      </label>
      <label class="check">
        <input type="checkbox" name="rehearse" /> Only rehearse: no model, no key, no cost
      </label>
    </>
  );
}

/** Known before the task is written. */
function KeyState({ server }: { server: ServerAnswer | undefined }) {
  if (!server || server.isReady) return null;
  const why = server.model === undefined ? "No model is set on this server." : `The key of ${server.model} is not set.`;
  const how =
    server.model === undefined
      ? "Name one, or start the server with the key of a provider."
      : "Start the server with it.";
  return (
    <p class="warning">
      {why} {how} A rehearsal needs no model and no key.
    </p>
  );
}

const ModelFields = ({ problems: { model, usd }, server }: FieldsProps) => (
  <>
    <Labelled label="Model" problem={model}>
      <input
        name="model"
        list={KNOWN_MODELS}
        aria-invalid={model !== undefined}
        placeholder={server?.model ?? "server default"}
      />
    </Labelled>
    <KnownModels server={server} />
    <Labelled label="Ceiling in US dollars" problem={usd}>
      <input
        name="usd"
        inputMode="decimal"
        aria-invalid={usd !== undefined}
        placeholder={server?.budgetUsd === undefined ? "server default" : String(server.budgetUsd)}
      />
    </Labelled>
  </>
);
