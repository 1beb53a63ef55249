/** Instructions side by side: how much faster, never beyond a ceiling, and no call that is made again. In virtual time. */
import { ModelError } from "../../lib/core/errors.ts";
import { exitCodeOf } from "../../lib/core/run/exit-codes.ts";
import { isEnded } from "../../lib/core/run/run.ts";
import { placeOf } from "../../test/doubles/scripted-model.ts";
import type { Row } from "../table.ts";
import { computeIn, independentParts, inOneCall, type Part, withLanes } from "./lane-machine.ts";

const CALL_MS = 2_000;
const SIDE_BY_SIDE = 8;

export async function lanes(): Promise<Row[]> {
  return [...(await ceiling()), ...(await usable()), ...(await resumed())];
}

/** A disk that is slow looks like nothing to do to a virtual clock: on a busy machine the ratios are larger. */
export async function laneSpeed(): Promise<Row[]> {
  const parts = independentParts(SIDE_BY_SIDE);
  const chain: Part[] = parts.map((part, index) => (index === 0 ? part : { ...part, needs: [`p${index}`] }));
  const one = await timeOf(parts, 1);
  const aims: [string, Part[], number, number][] = [
    ["with 4 lanes", parts, 4, 0.35],
    ["with 8 lanes", parts, 8, 0.25],
    ["with 8 lanes, each needing the one before", chain, 8, 1.05],
  ];
  const rows: Row[] = [];
  for (const [how, given, parallel, aim] of aims) {
    const ratio = (await timeOf(given, parallel)) / one;
    rows.push({
      what: `${SIDE_BY_SIDE} instructions of a call of ${CALL_MS / 1_000} s, ${how} : with one`,
      figure: ratio.toFixed(2),
      aim: `≤ ${aim}`,
      reached: ratio <= aim,
    });
  }
  return rows;
}

const timeOf = (parts: Part[], parallel: number): Promise<number> =>
  withLanes({ parts, options: { parallel }, callMs: CALL_MS }, async ({ machine, clock, submit }) => {
    const run = await submit();
    const from = clock.now();
    const { status, detail } = await computeIn(machine, run);
    if (status !== "completed") throw new Error(`The run ended ${status}: ${detail}`);
    return clock.now() - from;
  });

const READY = 200;
const CEILING = 5_000;
const CALL = 1_000;
const USABLE = 0.9;
/** A token of an answer costs a millionth of a dollar, and the rest nothing: a call costs what it may cost at most. */
const UNITS = { price: { input: 0, output: 1 }, maxOutputTokens: CALL };

async function ceiling(): Promise<Row[]> {
  const computing = {
    parts: independentParts(READY),
    options: { parallel: 16, budget: { usd: CEILING / 1e6 } },
    profile: UNITS,
    callMs: CALL_MS,
    answer: (request: Parameters<typeof inOneCall>[0]) => ({ ...inOneCall(request), usage: { outputTokens: CALL } }),
  };
  const { spent, asked, code } = await withLanes(computing, async ({ machine, asked: calls, submit }) => {
    const run = await computeIn(machine, await submit());
    return { spent: run.microUsd, asked: calls(), code: exitCodeOf(run) };
  });
  return [
    {
      what: `a ceiling of ${CEILING}, ${READY} calls of ${CALL} ready at once, 16 lanes: charged for calls that were made`,
      figure: `${asked * CALL}, accounted for ${spent}`,
      aim: `≤ ${CEILING}, ≥ ${USABLE * CEILING}`,
      reached: asked * CALL <= CEILING && spent <= CEILING && asked * CALL >= USABLE * CEILING,
    },
    { what: "… exit code", figure: String(code), aim: "7", reached: code === 7 },
  ];
}

/** Calls that use a part of what they reserve: what they leave comes back, and is used. */
const LARGER = 50_000;
const USED = 300;

async function usable(): Promise<Row[]> {
  const computing = {
    parts: independentParts(READY),
    options: { parallel: 16, budget: { usd: LARGER / 1e6 } },
    profile: UNITS,
    callMs: CALL_MS,
    answer: (request: Parameters<typeof inOneCall>[0]) => ({ ...inOneCall(request), usage: { outputTokens: USED } }),
  };
  const spent = await withLanes(
    computing,
    async ({ machine, submit }) => (await computeIn(machine, await submit())).microUsd,
  );
  return [
    {
      what: `a ceiling of ${LARGER}, 16 lanes, calls that reserve ${CALL} and use ${USED}: used of it`,
      figure: `${Math.round((100 * spent) / LARGER)} %`,
      aim: `≥ ${100 * USABLE} %, ≤ 100 %`,
      reached: spent >= USABLE * LARGER && spent <= LARGER,
    },
  ];
}

const STEPS = 102;
const FAILING = [STEPS - 1, STEPS];

async function resumed(): Promise<Row[]> {
  let isDown = true;
  const computing = {
    parts: independentParts(STEPS),
    options: { parallel: 4 },
    answer: (request: Parameters<typeof inOneCall>[0]) => {
      if (isDown && FAILING.includes(placeOf(request).instruction))
        throw new ModelError("This step fails.", { kind: "refused", perhapsPaid: false });
      return inOneCall(request);
    },
  };
  return withLanes(computing, async ({ machine, asked, submit }) => {
    const stopped = await computeIn(machine, await submit());
    const before = asked();
    const instructions = await machine.registry.instructions(stopped.id);
    const open = instructions.filter(({ status }) => status !== "accepted").map(({ number }) => number);
    const code = exitCodeOf(stopped);
    isDown = false;
    const again = await machine.resume(stopped.id, {});
    const run = await computeIn(machine, again);
    const calls = asked() - before;
    const isWhole = isEnded(stopped.status) && run.status === "completed";
    return [
      {
        what: `${STEPS} instructions with 4 lanes, of which the last 2 fail: calls of the model at \`resume\``,
        figure: `${calls}`,
        aim: "2",
        reached: isWhole && calls === 2,
      },
      {
        what: "… exit code, and what is not done, before it",
        figure: `${code}, ${open.join(" and ")}`,
        aim: `not 0, ${FAILING.join(" and ")}`,
        reached: code !== 0 && open.join() === FAILING.join(),
      },
    ];
  });
}
