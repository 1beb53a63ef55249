/** Where a fork begins, and with which model and name. */
import type { RunView } from "../../../../lib/api/answers.ts";
import { lastForkPoint } from "../../../../lib/core/run/forks/fork-point.ts";
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import { useServer } from "../../browser/use-server.ts";
import type { Problems } from "../../browser/wrong-field.ts";
import { fieldName } from "../../option-fields.ts";
import { KNOWN_MODELS, KnownModels } from "../form/known-models.tsx";
import { Labelled } from "../form/labelled.tsx";

interface ForkFieldsProps {
  run: RunView;
  problems: Problems["fields"];
}

/** The last instruction has none after it. */
const offered = (run: RunView): number => Math.max(1, Math.min(lastForkPoint(run), run.instructions - 1));

const MODEL = fieldName("model");

export function ForkFields({ run, problems: { at, name, [MODEL]: model } }: ForkFieldsProps) {
  const server = useServer();
  return (
    <>
      <Labelled label="After instruction (3), or after a turn of one (3.2)" problem={at}>
        <input name="at" aria-invalid={at !== undefined} defaultValue={String(offered(run))} />
      </Labelled>
      <Labelled label="Model from there on (optional)" problem={model}>
        <input
          name={MODEL}
          list={KNOWN_MODELS}
          aria-invalid={model !== undefined}
          placeholder={reveal(run.profile.model)}
        />
      </Labelled>
      <Labelled label="Name of the new run (optional)" problem={name}>
        <input name="name" aria-invalid={name !== undefined} placeholder={reveal(run.name)} />
      </Labelled>
      <KnownModels server={server} />
    </>
  );
}
