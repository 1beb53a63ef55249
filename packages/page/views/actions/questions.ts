/** The words of each action: its button, what it asks and what it did. Pure. */
import type { RunView } from "../../../../lib/api/answers.ts";
import { type Action, isRehearsal, needsMore } from "../../run-summary.ts";

interface Question {
  button: (run: RunView) => string;
  title: (run: RunView) => string;
  description: (run: RunView) => string;
  yes: string;
  sending: string;
  done: string;
}

const costWords = (run: RunView): string =>
  isRehearsal(run) ? "A rehearsal costs nothing." : "This costs money, up to the ceilings of the run.";

export const QUESTIONS: Record<Action, Question> = {
  approve: {
    button: () => "Approve",
    title: () => "Approve the program?",
    description: (run) => `The program is executed as soon as you approve it. ${costWords(run)}`,
    yes: "Yes, approve",
    sending: "Approving…",
    done: "Approved. The program is being executed.",
  },
  answer: {
    button: () => "Answer",
    title: () => "The program asks you",
    description: (run) => `The run continues with your answer. ${costWords(run)}`,
    yes: "Answer",
    sending: "Sending…",
    done: "Answered. The run continues.",
  },
  revise: {
    button: () => "Revise",
    title: () => "Have the model revise the program?",
    description: () =>
      "The model gets your feedback and writes the program again, which then waits for your approval. Changes that you made here are not used.",
    yes: "Yes, revise",
    sending: "Sending…",
    done: "The program is revised.",
  },
  reject: {
    button: () => "Reject",
    title: () => "Reject the program?",
    description: () => "The run ends and nothing is executed. You can resume it later.",
    yes: "Yes, reject",
    sending: "Rejecting…",
    done: "Rejected.",
  },
  cancel: {
    button: () => "Cancel",
    title: () => "Cancel this run?",
    description: () => "The run stops after its current turn. Accepted work is kept, and you can resume the run.",
    yes: "Yes, cancel",
    sending: "Cancelling…",
    done: "The run stops after its current turn.",
  },
  resume: {
    button: (run) => (needsMore(run) ? "Resume with more" : "Resume"),
    title: () => "Resume this run?",
    description: (run) =>
      needsMore(run)
        ? "The run reached a ceiling. With a higher one it continues where it stopped."
        : "The run continues where it stopped. Accepted work is not repeated.",
    yes: "Yes, resume",
    sending: "Resuming…",
    done: "Resumed.",
  },
  after: {
    button: () => "Go on from here…",
    title: () => "Go on with another task?",
    description: (run) =>
      `A new run begins with the files of this one, which is kept as it is. ${isRehearsal(run) ? "A rehearsal costs nothing." : "It costs money, up to its ceilings."}`,
    yes: "Yes, begin the new run",
    sending: "Beginning…",
    done: "The new run has begun.",
  },
  back: {
    button: () => "Go back to an instruction…",
    title: () => "Go back to an instruction?",
    description: (run) =>
      `A new run begins with the files and the program as they were before that instruction. This run is kept as it is. ${costWords(run)}`,
    yes: "Yes, begin the new run",
    sending: "Beginning…",
    done: "The new run has begun.",
  },
  fork: {
    button: () => "Fork…",
    title: () => "Fork this run?",
    description: (run) =>
      `A new run inherits all that this one computed up to a point, at no cost, and goes on from there. This run is kept as it is. ${costWords(run)}`,
    yes: "Yes, begin the new run",
    sending: "Beginning…",
    done: "The new run has begun.",
  },
  delete: {
    button: () => "Delete",
    title: ({ name }) => `Delete “${name}”?`,
    description: () => "Its files, journal and report are deleted. This cannot be undone.",
    yes: "Yes, delete",
    sending: "Deleting…",
    done: "Deleted.",
  },
};
