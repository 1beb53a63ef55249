/** Seeded edits of programs and requirements: only what is stale is executed, as the plan foresees it, and a whole run changes no verdict and no file. */
import { makeRun } from "../../../lib/control/make/make-run.ts";
import type { Evaluator } from "../../../lib/core/ports.ts";
import type { Draft } from "../../../lib/core/program/program.ts";
import type { Run } from "../../../lib/core/run/run.ts";
import { unpackTree } from "../../../lib/pack/pack.ts";
import { aMachine, aSubmission, aVerdict, compute, type TestMachine } from "../../doubles/machines.ts";
import { lastingStorage } from "../../doubles/mortal-storage.ts";
import { isSplitting, type Said, scriptedModel } from "../../doubles/scripted-model.ts";
import { type Chance, createChance } from "../chance.ts";
import { counted, type Experiment, isShown } from "../experiment.ts";
import {
  contentOf,
  type Edited,
  hasSources,
  isChecked,
  isListing,
  type Part,
  pathOf,
  sourcesIn,
  staleParts,
} from "./stale-parts.ts";

const EDITS = 200;
const QUICK_EDITS = 16;
const STEPS = 6;
const REQUIREMENTS = 3;
/** Spreads neighbouring seeds. */
const SPREAD = 7_919;

export const seededEdits: Experiment = async (asked) => {
  const { quick, from, seeds: count = quick ? QUICK_EDITS : EDITS, say } = asked;
  const played: Played[] = [];
  const broken = [];
  for (let seed = from; seed < from + count && !isShown(broken, asked); seed += 1) {
    const each = await playEdit(seed);
    played.push(each);
    broken.push(...each.problems.map((what) => ({ invariant: "I17", what, where: each.where })));
    if ((seed - from + 1) % 50 === 0) say(`  edit ${seed - from + 1} of ${count}`);
  }
  const sum = (name: "foreseen" | "executed" | "stale" | "kept" | "red"): number =>
    played.reduce((total, each) => total + each[name], 0);
  return {
    broken,
    rows: [
      {
        what: `make after edits of programs and requirements, seeds ${from} to ${from + count - 1}: foreseen to be executed; executed, of them stale`,
        figure: `${counted(sum("foreseen"))}; ${counted(sum("executed"))}, ${counted(sum("stale"))}`,
        aim: "at least; the same",
        reached:
          sum("foreseen") >= sum("executed") &&
          sum("executed") === sum("stale") &&
          sum("executed") > 0 &&
          broken.length === 0,
      },
      {
        what: "… kept without a call; edits that are made otherwise than foreseen, or end otherwise than a whole run",
        figure: `${counted(sum("kept"))}; ${counted(new Set(broken.map(({ where }) => where)).size)}`,
        aim: "some; 0",
        reached: sum("kept") > 0 && broken.length === 0,
      },
      {
        what: "… edits that leave a step without what it needs, which is then executed, and stops the run",
        figure: counted(sum("red")),
        aim: "",
      },
    ],
  };
};

interface Played {
  where: string;
  problems: string[];
  foreseen: number;
  executed: number;
  stale: number;
  kept: number;
  red: number;
}

async function playEdit(seed: number): Promise<Played> {
  const chance = createChance(seed * SPREAD);
  const before = drawProgram(chance);
  const { now, words } = edited(before, { kind: KINDS[seed % KINDS.length], chance });
  const model = worker();
  const machine = aMachine({ storage: lastingStorage(), model, evaluator: checked });
  try {
    const first = await begun(machine, before);
    model.requests.length = 0;
    const { submission, plan } = await makeRun(machine, first, { name: "again", program: programOf(now) });
    const made = await compute(machine, submission);
    const asked = new Set(model.requests.filter((each) => !isSplitting(each)).map(({ messages }) => lineOf(messages)));
    const stale = staleParts(before, now);
    // What is executed may write anything, of another size too.
    const foreseen = staleParts(before, now, (text) => text.padEnd(10_000, "?"));
    const planned = new Set(plan.steps.flatMap(({ decision, number }) => (decision === "execute" ? [number] : [])));
    const red = now.parts.filter(({ text }, at) => !hasSources(text, now.parts.slice(0, at)));
    // What is red on the new tree is asked for; the run stops there.
    const extra = [...asked].filter((text) => !stale.has(text) && text !== red[0]?.text);
    const left = red.length > 0 ? [] : [...stale].filter((text) => !asked.has(text));
    const whole = await begun(machine, now);
    const problems = [
      ...extra.map((text) => `"${text}" was executed, and is not stale`),
      ...left.map((text) => `"${text}" is stale, and was not executed`),
      ...now.parts.flatMap(({ text }, at) =>
        planned.has(at + 1) === foreseen.has(text)
          ? []
          : [`"${text}" ${foreseen.has(text) ? "may be stale, and was not" : "is not stale, and was"} foreseen`],
      ),
      ...(await differences(machine, { made, whole })),
    ];
    const where = `seed ${seed}: ${words}`;
    if (red.length > 0) return { where, problems, foreseen: 0, executed: 0, stale: 0, kept: 0, red: 1 };
    const kept = now.parts.length - asked.size;
    return { where, problems, foreseen: planned.size, executed: asked.size, stale: stale.size, kept, red: 0 };
  } finally {
    machine.close();
    machine.removeHome();
  }
}

async function differences(machine: TestMachine, { made, whole }: { made: Run; whole: Run }): Promise<string[]> {
  const [one, other] = [await endOf(machine, made), await endOf(machine, whole)];
  const { difference, treeHash, expected } = await machine.replay(made.id);
  return [
    ...(one === other ? [] : [`it ended as ${one}, and a whole run as ${other}`]),
    ...(difference ? [`the replay differs at ${difference.instruction}.${difference.turn}`] : []),
    ...(treeHash === expected ? [] : ["the replay ends in another tree"]),
  ];
}

/** Its verdicts, what each step came to, and its files. */
async function endOf({ registry }: TestMachine, run: Run): Promise<string> {
  const steps = await registry.instructions(run.id);
  const files = await registry.allFiles(run.id);
  return JSON.stringify([
    [run.status, run.testsPassed, run.unchecked],
    steps.map(({ status, summary, unchecked }) => [status, summary, unchecked]),
    files.map(({ path, sha256 }) => [path, sha256]),
  ]);
}

/** Each writes code or a text, may read some of those before it, list all files or run the checks, and serves a requirement or none. */
function drawProgram(chance: Chance): Edited {
  const paths: string[] = [];
  const parts = Array.from({ length: STEPS }, (_, at): Part => {
    const sources =
      at === 0 ? [] : Array.from({ length: chance.between(0, 2) }, () => paths[chance.between(0, at - 1)] ?? "");
    const serves = chance.between(0, REQUIREMENTS);
    const path = `f${at}.${chance.one(["js", "txt"])}`;
    const looks = chance.one(["", "", "", "", " listing", " checked"]);
    paths.push(path);
    const text = `write ${path}${looks}${sources.length > 0 ? ` from ${[...new Set(sources)].join(" ")}` : ""}`;
    return { text, requirements: serves === 0 ? [] : [`R${serves}`] };
  });
  const ids = Array.from({ length: REQUIREMENTS }, (_, at) => `R${at + 1}`);
  return { parts, requirements: new Map(ids.map((id) => [id, `It does what ${id} says.`])) };
}

/** In turn, so that few seeds have each of them. */
const KINDS = ["change", "insert", "remove", "requirement", "serves", "move"] as const;

function edited(
  { parts, requirements }: Edited,
  { kind, chance }: { kind: (typeof KINDS)[number] | undefined; chance: Chance },
): { now: Edited; words: string } {
  const at = chance.between(0, STEPS - 1);
  const part = parts[at] ?? { text: "", requirements: [] };
  const id = `R${chance.between(1, REQUIREMENTS)}`;
  const words = `${kind} ${kind === "requirement" ? id : at + 1}`;
  const withParts = (now: Part[]) => ({ now: { parts: now, requirements }, words });
  switch (kind) {
    case "change":
      return withParts(parts.with(at, { ...part, text: part.text.replace(/^write \S+/, "$& again") }));
    case "insert":
      return withParts(parts.toSpliced(at, 0, { text: `write new${at}.txt`, requirements: [] }));
    case "remove":
      return withParts(parts.toSpliced(at, 1));
    case "serves":
      return withParts(parts.with(at, { ...part, requirements: part.requirements.includes(id) ? [] : [id] }));
    case "move":
      return withParts([...parts.toSpliced(at, 1), part]);
    default:
      return { now: { parts, requirements: new Map(requirements).set(id, `It does more than ${id}.`) }, words };
  }
}

const programOf = ({ parts, requirements }: Edited): Draft => ({
  instructions: parts.map(({ text, requirements: served }) => ({
    ...{ title: `Part ${pathOf(text)}`, text, requirements: served },
  })),
  requirements: [...requirements].map(([id, text]) => ({ id, text })),
});

async function begun(machine: TestMachine, edit: Edited): Promise<Run> {
  const program = programOf(edit);
  const { requirements } = program;
  return compute(machine, await aSubmission({ options: { reflect: 0 }, submission: { program, requirements } }));
}

const lineOf = (messages: { content: string }[]): string => /^(write .*)$/m.exec(messages[1]?.content ?? "")?.[1] ?? "";

/** Looks at what its line names, writes, completes. */
const worker = () =>
  scriptedModel(({ messages }): Said => {
    const line = lineOf(messages);
    const path = pathOf(line);
    const files = sourcesIn(line).map((each) => ({ path: each }));
    const shown = messages.flatMap(({ role, content }) => (role === "tool" ? [...(content.match(SHOWN) ?? [])] : []));
    const looking: Said["calls"] = [
      ...(files.length > 0 ? [["read_files", { files }] satisfies Call] : []),
      ...(isListing(line) ? [["list_files", {}] satisfies Call] : []),
      ...(isChecked(line) ? [["run_checks", {}] satisfies Call] : []),
    ];
    const turns: Said["calls"][] = [
      ...(looking.length > 0 ? [looking] : []),
      [["write_files", { files: [{ path, content: contentOf(line, shown) }] }]],
    ];
    const answers = messages.filter(({ role }) => role === "assistant").length;
    return { calls: turns[answers] ?? [["complete_instruction", { summary: `${path} is there` }]] };
  });

type Call = [name: string, args: object];
/** Lines of files, and files of a list with their sizes. */
const SHOWN = /^(?:write .*|\S+ \(\d+ bytes)/gm;

/** Red where a file says that it is made of one that is not there: a check of the whole tree. */
const checked: Evaluator = {
  async evaluate({ base, changes }) {
    const tree = new Map(unpackTree(await base.load()));
    for (const { path, content } of changes) if (content) tree.set(path, content);
    const missing = [...tree].flatMap(([path, content]) =>
      sourcesIn(new TextDecoder().decode(content)).flatMap((each) => (tree.has(each) ? [] : [`${path} needs ${each}`])),
    );
    const error = { path: "f0.txt", line: 1, message: missing.join("; ") };
    return missing.length > 0 ? aVerdict({ syntax: { status: "failed", errors: [error] } }) : aVerdict({});
  },
};
