/** Seeded programs of every kind, through processes that die: what the machine does is what a plain recursion does. */

import type { Evaluator, ModelRequest } from "../../lib/core/ports.ts";
import { nodeAt } from "../../lib/core/program/language/advance.ts";
import { draftFrom } from "../../lib/core/program/language/executable.ts";
import type { Frames } from "../../lib/core/program/language/frames.ts";
import type { Program } from "../../lib/core/program/language/schema.ts";
import { placeText } from "../../lib/core/program/language/step-title.ts";
import { type Mortal, throughDeaths } from "../doubles/deaths.ts";
import { aSubmission, aVerdict, type TestMachine } from "../doubles/machines.ts";
import type { Death } from "../doubles/mortal-storage.ts";
import { placeOf, type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";
import { interpret } from "../program/naive-interpreter.ts";
import { createRandom, seededProgram } from "../program/seeded-program.ts";
import { type Broken, counted, type Experiment, isShown, numbersOf } from "./experiment.ts";

const PROGRAMS = 2_000;
const QUICK_PROGRAMS = 60;
const MOST_DEATHS = 3;
const MOST_LANES = 4;
/** So many of them die at each call. */
const DIED_EVERYWHERE = 4;

export const seededPrograms: Experiment = async (asked) => {
  const { quick, seeds, from } = asked;
  const count = seeds ?? (quick ? QUICK_PROGRAMS : PROGRAMS);
  const broken: Broken[] = [];
  const total = { steps: 0, deaths: 0, extra: 0, everywhere: 0 };
  const drawn = numbersOf(asked, from, from + count - 1);
  for (const seed of drawn) {
    if (isShown(broken, asked)) break;
    const played = await playProgram(seed, total.everywhere < DIED_EVERYWHERE);
    broken.push(...played.problems.map((what) => ({ invariant: "I15", what, where: `seed ${seed}` })));
    total.steps += played.steps;
    total.deaths += played.deaths;
    total.extra += played.extra;
    total.everywhere += played.everywhere;
  }
  return {
    broken,
    rows: [
      {
        what: `programs of every kind, seeds ${from} to ${from + count - 1}`,
        figure: `${counted(drawn.length)} with ${counted(total.steps)} steps and ${counted(total.deaths)} deaths`,
        aim: "as a plain recursion",
        reached: broken.length === 0,
      },
      {
        what: "… model calls beyond the undisturbed number",
        figure: counted(total.extra),
        aim: "≤ 1 a death",
        reached: total.extra <= total.deaths,
      },
    ],
  };
};

type TestsStatus = "passed" | "failed" | "not_run";

/** What tests find, and how many files there are, follows from the number of steps alone. */
const statusAfter = (seed: number, steps: number): TestsStatus =>
  (["passed", "failed", "not_run", "passed"] as const)[Math.floor(createRandom(seed * 1_000 + steps)() * 4)] ??
  "passed";

/** `mayDieEverywhere`: if the program has conditions. */
async function playProgram(seed: number, mayDieEverywhere: boolean) {
  const program = seededProgram(seed);
  const lowered = draftFrom(program);
  if ("findings" in lowered) return { problems: [], steps: 0, deaths: 0, extra: 0, everywhere: 0 };
  const options = { reflect: 0, parallel: 1 + (seed % MOST_LANES) };
  const given = { submission: await aSubmission({ options, submission: { program: lowered.draft } }) };
  const homes: TestMachine[] = [];
  let asked = 0;
  const model = () =>
    scriptedModel((request) => {
      asked += 1;
      return writesOneFile(request);
    });
  const mortal = { ...given, answer: "yes", model, evaluator: seededEvaluator(seed), homes };
  const plain = await throughDeaths(mortal, []);
  const undisturbed = asked;
  const random = createRandom(seed * 7_919);
  const deaths = Array.from(
    { length: 1 + Math.floor(random() * MOST_DEATHS) },
    (): Death => ({
      call: 1 + Math.floor(random() * plain.boundaries),
      when: random() < 0.5 ? "before" : "after",
    }),
  );
  asked = 0;
  const disturbed = await throughDeaths(mortal, deaths);
  const extra = asked - undisturbed;
  const isEverywhere = mayDieEverywhere && plain.events.some(({ type }) => type === "checked");
  const everywhere = isEverywhere ? await dieEverywhere(mortal, plain.boundaries) : [];
  for (const home of homes) home.removeHome();
  const expected = lowered.draft.tree ? expectedOf(program, seed) : undefined;
  const [first, second] = [logOf(program, plain), logOf(program, disturbed)];
  const problems = [
    ...(expected && first !== expected ? [`${first} instead of ${expected}`] : []),
    ...(second === first ? [] : [`after deaths ${second} instead of ${first}`]),
    ...(disturbed.hash === plain.hash ? [] : ["other files after deaths"]),
    ...everywhere.flatMap((each, index) => {
      const log = logOf(program, each);
      return log === first ? [] : [`after a death at call ${index + 1} ${log} instead of ${first}`];
    }),
  ];
  return {
    problems,
    steps: plain.instructions.length,
    deaths: deaths.length + everywhere.length,
    extra,
    everywhere: isEverywhere ? 1 : 0,
  };
}

async function dieEverywhere(mortal: Mortal, boundaries: number): Promise<Look[]> {
  const looks: Look[] = [];
  for (let call = 1; call <= boundaries; call += 1) looks.push(await throughDeaths(mortal, [{ call, when: "after" }]));
  return looks;
}

type Look = Awaited<ReturnType<typeof throughDeaths>>;

function writesOneFile(request: ModelRequest): Said {
  const { instruction, answers } = placeOf(request);
  return { calls: answers === 0 ? [writeFile(`s${instruction}.ts`)] : [["complete_instruction", { summary: "done" }]] };
}

/** Red where a condition asks for tests; the gate, which asks for syntax too, is always green. */
const seededEvaluator = (seed: number): Evaluator => ({
  async evaluate({ base, tests, syntax, smoke }) {
    const isCondition = tests !== undefined && syntax === undefined && smoke === undefined;
    const steps = Number(/(\d+)\.zip$/.exec(base.key)?.[1] ?? 0);
    return aVerdict(isCondition ? { tests: { status: statusAfter(seed, steps) } } : {});
  },
});

function expectedOf(program: Program, seed: number): string {
  const log: string[] = [];
  const count = (...kinds: string[]): number => log.filter((line) => kinds.includes(line.split(" ")[0] ?? "")).length;
  const world = { holds: () => statusAfter(seed, count("step", "ask")) === "passed", items: () => count("step") };
  return interpret(program, world, log).join(", ");
}

/** In the words of the recursion. */
function logOf(program: Program, { run, events, instructions }: Look): string {
  const places = placesOf(
    program,
    instructions.flatMap(({ frames }) => (frames ? [frames] : [])),
  );
  const begun = new Set<number>();
  const log = events.flatMap((event) => {
    if (event.type === "checked")
      return [`${event.holds === undefined ? "count" : "find out"} ${idAt(program, event.place)}`];
    if (event.type !== "instruction_started" || begun.has(event.instruction)) return [];
    begun.add(event.instruction);
    const isAsked = instructions[event.instruction - 1]?.kind === "ask";
    return [`${isAsked ? "ask" : "step"} ${places[event.instruction - 1]}`];
  });
  return [...log, run.status === "completed" ? "end" : `stop ${stoppedBy(run.detail)}`].join(", ");
}

const placesOf = (program: Program, frames: Frames[]) => frames.map((each) => nodeAt(program, each)?.id);

/** From `3[2].1` and `3(tests).1` back to frames. */
function idAt(program: Program, place: string): string | undefined {
  const frames = place.split(".").map((part) => {
    const [, at = "1", round, call] = /^(\d+)(?:\[(\d+)\]|\(([^)]+)\))?$/.exec(part) ?? [];
    if (call !== undefined) return { at: Number(at) - 1, round: 1, call };
    return { at: Number(at) - 1, ...(round === undefined ? {} : { round: Number(round) }) };
  });
  if (placeText(frames) !== place) throw new Error(`There is no place ${place}.`);
  return nodeAt(program, frames)?.id;
}

function stoppedBy(detail = ""): string {
  if (detail.startsWith("A check ")) return "check_failed";
  return detail.startsWith("A loop of the program has more") ? "too_many_items" : "not_reached";
}
