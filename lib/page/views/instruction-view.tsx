/** One instruction as it stands: what it asks, what it serves, its evidence where it is stuck, what it handed over. */

import type { ProgramAnswer } from "../../api/answers.ts";
import type { Instruction } from "../../core/program/program.ts";
import { reveal } from "../../core/text/sanitize.ts";
import { FileLink, type Linking } from "./file-link.tsx";
import { Folded } from "./verdict-view.tsx";

interface Given {
  instruction: Instruction;
  program: ProgramAnswer;
  /** How it stands where it is looked at. */
  says: string;
  linking: Linking;
}

export function InstructionView({ instruction, program, says, linking }: Given) {
  const { number, title, text, summary, next, unchecked, requirements } = instruction;
  const served = program.requirements.filter(({ id }) => requirements.includes(id));
  return (
    <section class="instruction" aria-label={`Instruction ${number}`}>
      <h2>
        {number} {reveal(title)} <span class="quiet">· {says}</span>
      </h2>
      <Folded title="What it asks" text={text} />
      <Folded
        title={`Requirements that it serves (${served.length})`}
        text={served.map((requirement) => `${requirement.id}: ${requirement.text}`).join("\n")}
      />
      <Evidence instruction={instruction} />
      {summary && <Folded title="What it handed over" text={next ? `${summary}\n\nNext: ${next}` : summary} />}
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
          Came {trap.times} times: <code class="said">{reveal(trap.repeated)}</code>
        </p>
      )}
      {trap.verdict && <p>Found last: {reveal(trap.verdict)}</p>}
    </div>
  );
}

function Amendments({ instruction: { amendments = [] }, linking }: Omit<Given, "program" | "says">) {
  if (amendments.length === 0) return null;
  return (
    <>
      <p>Accepted tests that it changed:</p>
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
