/** The confirmation of an action: what it does, what can be changed with it, yes and no. */
import { useState } from "preact/hooks";
import type { ProgramAnswer, RunView } from "../../../../lib/api/answers.ts";
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import { focusOnProblem, type Problems } from "../../browser/wrong-field.ts";
import type { EditedProgram } from "../../program-edit.ts";
import { type Action, usedOf } from "../../run-summary.ts";
import { Words } from "../form/words.tsx";
import { AfterFields } from "./after-fields.tsx";
import { AnswerFields } from "./answer-fields.tsx";
import { BackFields } from "./back-fields.tsx";
import { ForkFields } from "./fork-fields.tsx";
import { QUESTIONS } from "./questions.ts";
import { ResumeFields } from "./resume-fields.tsx";

interface ActionFormProps {
  action: Action;
  run: RunView;
  program: ProgramAnswer;
  edited: EditedProgram | undefined;
  /** Returns the problems with what was entered. */
  confirm: (form: FormData) => Promise<Problems | undefined>;
  close: () => void;
}

export function ActionForm({ action, run, program, edited, confirm, close }: ActionFormProps) {
  const [{ detail, fields }, setProblems] = useState<Problems>({ fields: {} });
  const [isSending, setSending] = useState(false);
  const { title, description, yes, sending } = QUESTIONS[action];

  async function send(form: HTMLFormElement): Promise<void> {
    setSending(true);
    const problems = await confirm(new FormData(form));
    setProblems(problems ?? { fields: {} });
    setSending(false);
    if (problems) focusOnProblem(form);
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
      {action === "resume" && <ResumeFields run={run} problems={fields} />}
      {action === "answer" && <AnswerFields run={run} program={program} problems={fields} />}
      {action === "revise" && <Words name="feedback" label="What is to change" problem={fields.feedback} />}
      {action === "after" && <AfterFields run={run} problems={fields} />}
      {action === "fork" && <ForkFields run={run} problems={fields} />}
      {action === "back" && <BackFields run={run} program={program} problems={fields} />}
      {detail && (
        <p class="lost" role="alert" tabIndex={-1}>
          {reveal(detail)}
        </p>
      )}
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
