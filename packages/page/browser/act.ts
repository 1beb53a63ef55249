/** Sends the actions of a person to the API, with what was entered in their forms. */
import type { RunView } from "../../../lib/api/answers.ts";
import type { Draft } from "../../../lib/core/program/program.ts";
import { programData } from "../../../lib/core/program/program-text.ts";
import { bodyFields, fieldName } from "../option-fields.ts";
import { type EditedProgram, readEdit } from "../program-edit.ts";
import { type Action, raiseOf } from "../run-summary.ts";
import { ask, Refused } from "./ask.ts";
import { WrongProgram } from "./read-program.ts";
import { resumeBody } from "./resume-body.ts";
import { followingBody } from "./submission.ts";
import { type Problems, WrongField } from "./wrong-field.ts";

export interface Entered {
  form: FormData;
  edited: EditedProgram | undefined;
}

/** Answers the run that it is about afterwards. */
export async function act(run: RunView, action: Action, { form, edited }: Entered): Promise<{ id: string }> {
  const path = `/runs/${run.id}`;
  const post = (name: string, body: unknown): Promise<{ id: string }> =>
    ask(`${path}/${name}`, { method: "POST", body });
  switch (action) {
    case "delete":
      return ask(path, { method: "DELETE" });
    case "reject":
      return post("approve", { decision: "reject" });
    case "approve":
      return post("approve", {
        decision: "approve",
        ...(edited ? { program: programData(editedProgram(edited)) } : {}),
      });
    case "revise": {
      const feedback = textIn(form, "feedback");
      if (feedback === "") throw new WrongField("feedback", "Say what is to change.");
      return post("revise", { feedback });
    }
    case "answer":
      return post("answers", answerIn(run, form));
    case "cancel":
      return post("cancel", {});
    case "resume":
      return post("resume", resumeBody(run, form));
    case "after":
      return ask("/runs", { method: "POST", body: followingBody(run, form) });
    case "fork": {
      const entered = { at: textIn(form, "at"), model: textIn(form, fieldName("model")), name: textIn(form, "name") };
      return post("fork", Object.fromEntries(Object.entries(entered).filter(([, text]) => text !== "")));
    }
    case "back": {
      const name = textIn(form, "name");
      return post("back", { to: Number(form.get("to")), ...(name === "" ? {} : { name }) });
    }
  }
}

/** With the step that asks: sent twice, it is one answer. */
function answerIn({ question }: RunView, form: FormData): { step?: number; text?: string; choice?: number } {
  const step = question ? { step: question.step } : {};
  if (question?.choices) {
    const choice = Number(form.get("choice") ?? 0);
    if (choice < 1) throw new WrongField("choice", "Choose one of them.");
    return { ...step, choice };
  }
  const text = String(form.get("text") ?? "");
  if (text.trim() === "") throw new WrongField("text", "Write an answer.");
  return { ...step, text };
}

const textIn = (form: FormData, name: string): string => String(form.get(name) ?? "").trim();

function editedProgram(edited: EditedProgram): Draft {
  const read = readEdit(edited);
  if ("problem" in read) throw new WrongProgram(read.problem);
  return read;
}

/** What the person wrote or chose for these is not lost with a refusal. */
const HAS_FIELDS: ReadonlySet<Action> = new Set(["answer", "resume", "revise", "after", "back", "fork"]);

interface Sent {
  run: RunView;
  action: Action;
  form: FormData;
}

/** What is wrong with what was entered; undefined: the action failed for another reason. */
export function problemsInForm(error: unknown, { run, action, form }: Sent): Problems | undefined {
  if (error instanceof WrongField) return { fields: { [error.field]: error.message } };
  if (error instanceof WrongProgram) return { detail: error.message, fields: {} };
  if (!(error instanceof Refused)) return undefined;
  if (error.fields.length === 0) return HAS_FIELDS.has(action) ? { detail: error.message, fields: {} } : undefined;
  const nameOf = (field: string): string =>
    action === "resume" && field === `budget.${raiseOf(run).ceiling}` ? "ceiling" : (bodyFields[field] ?? field);
  const found = error.fields.map(({ field, problem }) => ({ name: nameOf(field), problem }));
  // The problems of the fields are more specific than the message.
  const others = found.filter(({ name }) => !form.has(name)).map(({ problem }) => problem);
  return {
    ...(others.length > 0 ? { detail: others.join(" ") } : {}),
    fields: Object.fromEntries(found.map(({ name, problem }) => [name, problem])),
  };
}
