/** One instruction: its text, requirements, evidence if it is stuck, and hand-over. */
import type { ProgramAnswer } from "../../../../lib/api/answers.ts";
import { costWords } from "../../../../lib/core/make/copied-steps.ts";
import type { Instruction } from "../../../../lib/core/program/program.ts";
import { shortId } from "../../../../lib/core/text/format.ts";
import { reveal } from "../../../../lib/core/text/sanitize.ts";
import { ask } from "../../browser/ask.ts";
import { useAnswer } from "../../browser/use-answer.ts";
import { Code } from "../code.tsx";
import { FileLink, type TurnLink } from "../file-link.tsx";
import { Loading } from "../waiting.tsx";
import { Folded } from "./verdict-view.tsx";

interface InstructionViewProps {
  instruction: Instruction;
  program: ProgramAnswer;
  /** After the chosen turn. */
  status: string;
  linking: TurnLink;
}

export function InstructionView({ instruction, program, status, linking }: InstructionViewProps) {
  const {
    number,
    title,
    text,
    summary,
    next,
    unchecked,
    requirements,
    unchanged,
    mended = [],
    memo,
    inherited,
  } = instruction;
  const served = program.requirements.filter(({ id }) => requirements.includes(id));
  return (
    <section class="instruction" aria-label={`Instruction ${number}`}>
      <h2>
        {number} {reveal(title)} <span class="quiet">· {status}</span>
      </h2>
      <Folded title="Text" text={text} />
      <Folded
        title={`Requirements (${served.length})`}
        text={served.map((requirement) => `${requirement.id}: ${requirement.text}`).join("\n")}
      />
      <Evidence instruction={instruction} />
      {summary && <Folded title="Hand-over" text={next ? `${summary}\n\nNext: ${next}` : summary} />}
      {memo && inherited && (
        <p class="quiet">
          Copied from step {inherited.instruction} of run{" "}
          <a href={`#run=${inherited.run}`}>
            <code>{shortId(inherited.run)}</code>
          </a>
          , where it took {costWords(inherited)}.
        </p>
      )}
      {unchanged && <p class="quiet">It changed no file.</p>}
      {mended.length > 0 && <p class="quiet">Known red mended: {reveal(mended.join("; "))}</p>}
      {unchecked.length > 0 && <p class="lost">Accepted unchecked: {reveal(unchecked.join("; "))}</p>}
      <Amendments instruction={instruction} linking={linking} />
    </section>
  );
}

function Evidence({ instruction: { status, trap } }: { instruction: Instruction }) {
  if (!trap) return null;
  return (
    <div class="evidence" role="note">
      <p>
        <strong>{status === "skipped" ? "Skipped" : "Stuck"}:</strong> {reveal(trap.detail)}
      </p>
      {trap.repeated && (
        <p>
          Repeated {trap.times} times: <code class="said">{reveal(trap.repeated)}</code>
        </p>
      )}
      {trap.verdict && <p>Last verdict: {reveal(trap.verdict)}</p>}
    </div>
  );
}

function Amendments({ instruction: { amendments = [] }, linking }: Omit<InstructionViewProps, "program" | "status">) {
  if (amendments.length === 0) return null;
  return (
    <>
      <p>Accepted tests it changed:</p>
      <ul class="findings">
        {amendments.map(({ path, reason }) => (
          <li key={path}>
            <FileLink path={path} linking={linking} /> {reveal(reason)}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The task, verbatim. */
export function TaskView({ id }: { id: string }) {
  const path = `/runs/${id}/task`;
  const answered = useAnswer(path, (signal) => ask<{ task: string }>(path, { signal }));
  return (
    <section class="instruction" aria-label="Task">
      <h2>Task</h2>
      {!answered ? (
        <Loading what="Loading" />
      ) : "problem" in answered ? (
        <p class="lost">{answered.problem}</p>
      ) : (
        <Code>{answered.value.task}</Code>
      )}
    </section>
  );
}
