/** Sends the actions of a person to the API, with what was entered in their forms. */
import type { RunView } from "../../api/answers.ts";
import type { Draft } from "../../core/program/program.ts";
import { type EditedProgram, readEdit } from "../program-edit.ts";
import { type Action, ceilingIn, needsMore, raiseOf } from "../run-summary.ts";
import { ask, Refused } from "./ask.ts";
import { WrongProgram } from "./read-program.ts";

class WrongCeiling extends Error {}

export interface Entered {
  form: FormData;
  edited: EditedProgram | undefined;
}

export async function act(run: RunView, action: Action, { form, edited }: Entered): Promise<void> {
  const path = `/runs/${run.id}`;
  switch (action) {
    case "delete":
      return ask(path, { method: "DELETE" });
    case "reject":
      return ask(`${path}/approve`, { method: "POST", body: { decision: "reject" } });
    case "approve": {
      const body = { decision: "approve", ...(edited ? { program: editedProgram(edited) } : {}) };
      return ask(`${path}/approve`, { method: "POST", body });
    }
    case "revise": {
      const feedback = String(form.get("feedback") ?? "").trim();
      if (feedback === "") throw new WrongProgram("Say what is to change.");
      return ask(`${path}/revise`, { method: "POST", body: { feedback } });
    }
    case "cancel":
      return ask(`${path}/cancel`, { method: "POST", body: {} });
    case "resume":
      return ask(`${path}/resume`, { method: "POST", body: { ...raisedBudget(run, form), ...hintIn(form) } });
  }
}

function hintIn(form: FormData): { hint?: string } {
  const hint = String(form.get("hint") ?? "").trim();
  return hint === "" ? {} : { hint };
}

function editedProgram(edited: EditedProgram): Draft {
  const read = readEdit(edited);
  if ("problem" in read) throw new WrongProgram(read.problem);
  return read;
}

/** Empty: the run keeps its ceiling. */
function raisedBudget(run: RunView, form: FormData): { budget?: Record<string, number> } {
  const written = String(form.get("ceiling") ?? "").trim();
  if (written === "" && !needsMore(run)) return {};
  const amount = ceilingIn(run, written);
  if ("problem" in amount) throw new WrongCeiling(amount.problem);
  return { budget: { [raiseOf(run).ceiling]: amount.value } };
}

/** What is wrong with what was entered; undefined: the action failed for another reason. */
export function problemInForm(error: unknown): string | undefined {
  if (error instanceof WrongProgram || error instanceof WrongCeiling) return error.message;
  if (!(error instanceof Refused) || error.fields.length === 0) return undefined;
  // The problems of the fields are more specific than the message.
  return error.fields.map(({ problem }) => problem).join(" ");
}
