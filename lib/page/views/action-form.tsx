/** Asks once more before something is done with a run: what it means, what may be changed with it, yes and no. */

import { useState } from "preact/hooks";
import type { RunView } from "../../api/answers.ts";
import type { Draft } from "../../core/program/program.ts";
import { renderProgramMarkdown } from "../../core/program/program-text.ts";
import { reveal } from "../../core/text/sanitize.ts";
import { type Action, needsMore, raiseOf, usedOf } from "../head-words.ts";

const REHEARSAL = "rehearsal";

interface Asked {
  title: (run: RunView) => string;
  says: (run: RunView) => string;
  yes: string;
  sending: string;
}

const ASKED: Record<Action, Asked> = {
  approve: {
    title: () => "Approve the program?",
    says: ({ profile }) =>
      `Once it is approved it is executed, as it stands here: ${profile.model === REHEARSAL ? "a rehearsal costs nothing." : "from then on it costs money, up to the run's ceilings."}`,
    yes: "Yes, approve",
    sending: "Approving…",
  },
  reject: {
    title: () => "Reject the program?",
    says: () => "The run ends, and nothing of it is executed. It can be resumed.",
    yes: "Yes, reject",
    sending: "Rejecting…",
  },
  cancel: {
    title: () => "Stop this run?",
    says: () => "It stops at its next commit. What is accepted is kept, and resume goes on with it.",
    yes: "Yes, cancel",
    sending: "Stopping…",
  },
  resume: {
    title: () => "Go on with this run?",
    says: (run) =>
      needsMore(run)
        ? "It stopped at a ceiling, and goes on from where it stands with a higher one."
        : "It goes on from where it stands; nothing that is accepted is done again.",
    yes: "Yes, resume",
    sending: "Resuming…",
  },
  delete: {
    title: ({ name }) => `Delete “${name}”?`,
    says: () => "Its files, journal and report are removed, and cannot be brought back.",
    yes: "Yes, delete",
    sending: "Deleting…",
  },
};

export const DONE: Record<Action, string> = {
  approve: "Approved: it is executed now.",
  reject: "Rejected.",
  cancel: "It stops at its next commit.",
  resume: "Resumed.",
  delete: "Deleted.",
};

interface Given {
  action: Action;
  run: RunView;
  program: Draft;
  written: Written;
  /** Answers what is wrong with what was written. */
  confirm: (form: FormData) => Promise<string | undefined>;
  close: () => void;
}

export function ActionForm({ action, run, program, written, confirm, close }: Given) {
  const [wrong, setWrong] = useState<string>();
  const [isSending, setSending] = useState(false);
  const { title, says, yes, sending } = ASKED[action];

  async function send(form: HTMLFormElement): Promise<void> {
    setSending(true);
    const said = await confirm(new FormData(form));
    setWrong(said);
    setSending(false);
    if (said !== undefined) form.querySelector<HTMLElement>("input, textarea")?.focus();
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
      <p>{says(run)}</p>
      {action === "resume" && usedOf(run) && <p class="quiet">{usedOf(run)}</p>}
      {action === "approve" && <ProgramField program={program} wrong={wrong} written={written} />}
      {action === "resume" && <CeilingField run={run} wrong={wrong} />}
      {action !== "approve" && action !== "resume" && <Wrong says={wrong} />}
      <p class="answers">
        {/* It has the focus first where nothing is written: who presses Enter too early has done nothing. */}
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

/** What was written is not lost with a dialog that was closed. */
export interface Written {
  current: string | undefined;
}

interface ProgramGiven {
  program: Draft;
  wrong: string | undefined;
  written: Written;
}

const ProgramField = ({ program, wrong, written }: ProgramGiven) => (
  <label>
    The program, which may be changed here before it is executed: a list, one instruction to an item
    <textarea
      name="program"
      rows={18}
      spellcheck={false}
      aria-invalid={wrong !== undefined}
      defaultValue={written.current ?? renderProgramMarkdown(program)}
      onInput={(event) => {
        written.current = event.currentTarget.value;
      }}
    />
    <Wrong says={wrong} />
  </label>
);

const Wrong = ({ says }: { says: string | undefined }) =>
  says === undefined ? null : (
    <span class="lost" role="alert">
      {says}
    </span>
  );

function CeilingField({ run, wrong }: { run: RunView; wrong: string | undefined }) {
  const { label, now, offered } = raiseOf(run);
  return (
    <label>
      {label} {now === undefined ? "(it has none)" : `(it is ${now})`}
      <input
        name="ceiling"
        inputMode="decimal"
        aria-invalid={wrong !== undefined}
        defaultValue={offered === undefined ? "" : String(offered)}
      />
      <Wrong says={wrong} />
    </label>
  );
}
