/** The power is cut: the disk is what had been synced, and some of what had not. The run goes on from there. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readPack } from "../../../lib/control/files/packs.ts";
import { treeHash } from "../../../lib/control/files/tree-hash.ts";
import { isEnded } from "../../../lib/core/run/run.ts";
import { whoseHome } from "../../../lib/host/home-owner.ts";
import { LOCAL_OWNER } from "../../../lib/local/machine.ts";
import { alwaysGreen, aMachine, type TestMachine } from "../../doubles/machines.ts";
import { type Chance, createChance } from "../chance.ts";
import { type Broken, counted, type Experiment, isShown, SKIPPED } from "../experiment.ts";
import { createLastingDisk, type LastingDisk } from "./lasting-disk.ts";
import { type Operation, traceWrites } from "./trace-writes.ts";
import { HOME, MARKS, scriptedWriter, USER } from "./writer.ts";

const CUTS = 200;
const QUICK_CUTS = 20;
const program = fileURLToPath(new URL("recorded-run.ts", import.meta.url));

interface Recorded {
  operations: Operation[];
  expected: { hash: string; calls: number };
}

interface Cut {
  /** Behind this many operations. */
  at: number;
  inCommit: boolean;
  chance: Chance | undefined;
}

export const cutPower: Experiment = async (asked) => {
  const root = mkdtempSync(join(tmpdir(), "l2mac-power-"));
  try {
    const command = [process.execPath, "--disable-warning=ExperimentalWarning", program, root];
    const operations = traceWrites({ command, root, marks: join(root, MARKS) });
    if (!operations) {
      asked.say("  strace is missing, or may not look: apt-get install strace");
      return { rows: [{ what: "power cuts", figure: "strace is missing", aim: SKIPPED }], broken: [] };
    }
    const expected = await endOf(join(root, HOME));
    const recorded = { operations, expected: { ...expected, calls: callsIn(operations) } };
    const cuts = drawCuts(operations, asked.seeds ?? (asked.quick ? QUICK_CUTS : CUTS), asked.from);
    const broken: Broken[] = [];
    const total = { begun: 0, again: 0 };
    const disk = createLastingDisk(root);
    let done = 0;
    for (const cut of cuts) {
      if (isShown(broken, asked)) break;
      for (const operation of operations.slice(done, cut.at)) disk.apply(operation);
      done = cut.at;
      const { problems, begun, again } = await goOnAfter(cut, recorded, disk);
      total.begun += begun ? 1 : 0;
      total.again += again;
      const where = `after ${cut.at} of ${operations.length} writes${cut.inCommit ? ", inside a commit" : ""}${cut.chance ? ", with some that were not synced" : ""}`;
      broken.push(...problems.map((what) => ({ invariant: "I1", what, where })));
    }
    return { broken, rows: rowsOf(cuts, total, broken) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

const callsIn = (operations: Operation[]): number => operations.filter(({ kind }) => kind === "mark").length;

function rowsOf(cuts: Cut[], { begun, again }: { begun: number; again: number }, broken: Broken[]) {
  const inside = cuts.filter(({ inCommit }) => inCommit).length;
  const none = (what: string, word: string) => {
    const found = broken.filter((each) => each.what.includes(word)).length;
    return { what, figure: counted(found), aim: "0", reached: found === 0 };
  };
  return [
    {
      what: "the power is cut at moments of a run, and the run goes on with what was synced",
      figure: `${counted(cuts.length)} cuts, ${inside} inside a commit; in ${begun} a call had been made`,
      aim: "half inside a commit",
      reached: inside * 2 === cuts.length,
    },
    none("… runs lost", "lost"),
    none("… stored answers paid again", "again"),
    {
      what: "… calls in flight that were made again",
      figure: counted(again),
      aim: "≤ 1 each time",
      reached: again <= begun,
    },
    none("… runs that ended with another tree", "tree"),
  ];
}

/** Half of them while a commit of the registry is written and not yet synced; half of all with some unsynced writes. */
function drawCuts(operations: Operation[], count: number, seed: number): Cut[] {
  const chance = createChance(seed);
  let open = false;
  const [inside, outside]: [number[], number[]] = [[], []];
  for (const [index, operation] of operations.entries()) {
    const isLog = "path" in operation && operation.path.endsWith("registry.sqlite-wal");
    if (isLog && operation.kind === "write") open = true;
    if (isLog && operation.kind === "sync") open = false;
    (open ? inside : outside).push(index + 1);
  }
  const drawn = (from: number[], inCommit: boolean): Cut[] =>
    Array.from({ length: Math.ceil(count / 2) }, (_, index) => ({
      at: from[chance.between(0, from.length - 1)] ?? 0,
      inCommit,
      chance: index % 2 === 0 ? undefined : createChance(seed * 7_919 + index),
    }));
  return [...drawn(inside, true), ...drawn(outside, false)].toSorted((one, other) => one.at - other.at);
}

async function goOnAfter({ at, chance }: Cut, { operations, expected }: Recorded, disk: LastingDisk) {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-cut-"));
  const asked = callsIn(operations.slice(0, at));
  const answers = disk.paths().filter((path) => path.endsWith(".answer.json")).length;
  const home = join(folder, HOME);
  const model = scriptedWriter();
  try {
    disk.layOut(folder, chance);
    if (asked > 0 && whoseHome({ home, env: { XDG_CONFIG_HOME: join(folder, USER) } }) !== "own")
      return lost("the home is lost", 0);
    const machine = aMachine({ model, evaluator: alwaysGreen, home });
    try {
      const ended = await goOn(machine);
      if (!ended)
        return asked > 0
          ? lost(`the run is lost, with ${asked} calls`, asked)
          : { problems: [], begun: false, again: 0 };
      const again = asked + model.requests.length - expected.calls;
      const paidAgain = answers + model.requests.length - expected.calls;
      return {
        begun: asked > 0,
        again: Math.max(0, again),
        problems: [
          ...(ended.status === "completed" ? [] : [`the run is lost: ${ended.status}, ${ended.detail}`]),
          ...(paidAgain > 0 ? [`${paidAgain} stored answers were paid again`] : []),
          ...(again > 1 ? [`${again} calls were made again`] : []),
          ...(ended.hash === expected.hash ? [] : ["the run ended with another tree"]),
        ],
      };
    } finally {
      machine.close();
    }
  } catch (error) {
    return lost(`the run is lost: ${error instanceof Error ? error.message : String(error)}`, asked);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const lost = (what: string, asked: number) => ({ problems: [what], begun: asked > 0, again: 0 });

async function goOn(machine: TestMachine) {
  await machine.sweep();
  const { runs } = await machine.registry.runs({ owner: LOCAL_OWNER, limit: 1 });
  const [run] = runs;
  if (!run) return undefined;
  if (!isEnded(run.status)) {
    await machine.resume(run.id, {});
    await machine.compute(run.id, new AbortController().signal);
  }
  return lookAt(machine);
}

async function lookAt(machine: TestMachine) {
  const { runs } = await machine.registry.runs({ owner: LOCAL_OWNER, limit: 1 });
  const [run] = runs;
  if (!run) throw new Error("There is no run.");
  await readPack(machine.files, run.id, run.packed);
  return { ...run, hash: treeHash(await machine.registry.allFiles(run.id)) };
}

async function endOf(home: string): Promise<{ hash: string }> {
  const machine = aMachine({ model: scriptedWriter(), home });
  try {
    return await lookAt(machine);
  } finally {
    machine.close();
  }
}
