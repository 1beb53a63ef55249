/** Compiled programs with scripted handlers: any order of places, waits, errors and ends. */
import fc from "fast-check";
import type { Json } from "../../../../lib/core/text/json.ts";
import { readProgram } from "../../../../lib/files/program-file.ts";
import { projectFile } from "../../../../lib/files/project-files.ts";
import { compiledText } from "../../../doubles/compiled-programs.ts";
import { type Answer, type Play, START } from "./plays.ts";

const PROGRAMS = ["program.md", "control-flow.md", "questions.md"];
const LOOPS = 6;

const VALUES: Record<string, string> = {
  ...{ PlanFunction: "plan", ExecuteFunction: "execute", DeliverFunction: "deliver" },
  ...{ RecordFailureFunction: "record-failure", StateMachineArn: "control-unit", Partition: "aws" },
};

const answer = (value: Json): Answer => ({ answer: value });
const thrown = (error: string): Answer => ({ error, message: "so it is" });
const DONE = [answer({})];

function playsOf(name: string, count: number): Play[] {
  const text = compiledText(readProgram(projectFile(`examples/${name}`)));
  const addresses = [...text.matchAll(/"at": "([^"{]+)"/g)].flatMap(([, at]) => at ?? []);
  const play = (what: string, loops: number, answers: Play["answers"]): Play => ({
    name: `${name}: ${what}`,
    definition: text.replace(/\$\{(\w+)\}/g, (_, placeholder: string) => VALUES[placeholder] ?? String(loops)),
    input: { runId: "r", epoch: 3 },
    answers: { deliver: DONE, "record-failure": DONE, [START]: DONE, ...answers },
  });
  const [first = "", ...others] = addresses;
  const steps = others.map((at) => answer({ next: "execute", at }));
  const plan = [answer({ next: "execute", at: first })];
  const whole = play("in the order of the file", 1_000, { plan, execute: [...steps, answer({ next: "deliver" })] });
  const any = anyAnswer(addresses);
  const drawn = fc.sample(fc.record({ plan: any, execute: any }), { numRuns: count, seed: 23 });
  return [whole, ...drawn.map((answers, index) => play(`any ${index}`, LOOPS, answers))];
}

function anyAnswer(addresses: string[]) {
  const at = fc.constantFrom(...addresses, ...addresses.map((each) => each.split(" ")[0] ?? ""), "", "9.9 00000000");
  const next = fc.constantFrom("execute", "execute", "execute", "wait", "stop", "deliver");
  const said = fc.record({ next, at }).map(({ next, at }) => {
    const where = at === "" ? { next } : { next, at };
    return answer(next === "wait" ? { ...where, waitSeconds: 3.5 } : where);
  });
  const failed = fc.constantFrom(
    thrown("L2mac.NotReady"),
    thrown("Lambda.ServiceException"),
    thrown("L2mac.UserError"),
  );
  const one = fc.oneof({ weight: 9, arbitrary: said }, { weight: 1, arbitrary: failed });
  return fc.array(one, { minLength: 1, maxLength: 12 }).map((answers) => [...answers, answer({ next: "deliver" })]);
}

export const compiledPlays: Play[] = PROGRAMS.flatMap((name) => playsOf(name, 4));
