/** `npm run evaluator:hostile`: attacks the sealed evaluator in every way that we know, and shows what held. */
import { openEvaluator } from "../../lib/sandbox/open-evaluator.ts";
import { noPython, pythonCan } from "../../test/doubles/evaluation.ts";
import type { Attack } from "./hostile/attack.ts";
import { attacks } from "./hostile/attacks.ts";
import { openOutside, type Surroundings } from "./hostile/outside.ts";
import { type AttackResult, healthyVerdict, type Ring, strike, unhealthy } from "./hostile/strike.ts";

/** Who attacks time, mostly waits: they are more than a small computer has processors. */
const LANES = 4;

const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const chosen = attacks.filter(({ name, group }) => wanted.every((word) => `${group}: ${name}`.includes(word)));
const pytest = pythonCan("import pytest");

/** Those that take all there is are alone; the others are several at once, each with an evaluator of its own. */
const alone = chosen.filter((attack) => attack.alone);
const others = chosen.filter((attack) => !attack.alone);
const temporary = process.env.TMPDIR ?? "";
const lanes: Lane[] = [];
for (let n = 0; n < LANES; n += 1) lanes.push(await openLane());
try {
  process.exitCode = await attackAll();
} finally {
  for (const { surroundings } of lanes) await surroundings.close();
}

type Row = "held off" | "not held off" | "not tried";

interface Lane {
  surroundings: Surroundings;
  healthy?: string;
  sealed: ReturnType<typeof openEvaluator>;
  bare: ReturnType<typeof openEvaluator>;
}

async function openLane(): Promise<Lane> {
  process.env.TMPDIR = temporary;
  const surroundings = await openOutside();
  const { l2macHome, secret, scratch } = surroundings.outside;
  process.env.TMPDIR = scratch;
  const env = { ...process.env, AWS_SECRET_ACCESS_KEY: secret, OPENAI_API_KEY: secret };
  const open = (unsealed: boolean) => openEvaluator({ home: l2macHome, env, announce: () => {}, unsealed });
  return { surroundings, sealed: open(false), bare: open(true) };
}

async function attackAll(): Promise<number> {
  const { sealed = false, how = "" } = lanes[0]?.sealed.sealed ?? {};
  if (!sealed) {
    console.log(`The evaluator is not sealed here: ${how}. Nothing was attacked. Next: apt-get install bubblewrap`);
    return 1;
  }
  console.log(`The evaluator is sealed by ${how}.`);
  const began = performance.now();
  await Promise.all(lanes.map(prepare));
  const left = others.values();
  const rows = [
    ...(await Promise.all(lanes.slice(0, 1).map((lane) => strikeAll(alone, lane)))).flat(),
    ...(await Promise.all(lanes.map((lane) => strikeAll(left, lane)))).flat(),
  ];
  const count = (row: Row): number => rows.filter((each) => each === row).length;
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(
    `${chosen.length} attacks, ${rows.length} rows: ${count("held off")} held off, ${count("not held off")} not, ${count("not tried")} not tried here. ${seconds} s.`,
  );
  return count("held off") === rows.length && rows.length > 0 ? 0 : 1;
}

/** What the healthy project's verdict is without an attack. */
async function prepare(lane: Lane): Promise<void> {
  lane.healthy = await healthyVerdict(lane.sealed.evaluator);
  lane.surroundings.changed();
}

async function strikeAll(request: Iterable<Attack>, lane: Lane): Promise<Row[]> {
  const { surroundings, sealed, bare, healthy } = lane;
  const ring: Ring = { evaluator: sealed.evaluator, surroundings, ...(healthy ? { healthy } : {}) };
  const rows: Row[] = [];
  let last: Attack | undefined;
  for (const attack of request) {
    if (last?.group !== attack.group) rows.push(...(await healthyAfter(last, ring)));
    last = attack;
    rows.push(isTried(attack) ? show(await strike(attack, ring), "") : "not tried");
    if (attack.alsoUnsealed && isTried(attack))
      rows.push(show(await strike(attack, { ...ring, evaluator: bare.evaluator }), ", unsealed"));
  }
  return [...rows, ...(await healthyAfter(last, ring))];
}

function isTried(attack: Attack): boolean {
  const { needs } = attack;
  const missing = needs && (noPython ? "python3" : needs === "pytest" && !pytest ? "pytest" : undefined);
  if (missing) console.log(`-    ${named(attack)}  needs ${missing}`);
  return !missing;
}

/** Of a group; unless it was evaluated just now. */
async function healthyAfter(last: Attack | undefined, ring: Ring): Promise<Row[]> {
  if (!last || last.lasting) return [];
  return [report(await unhealthy(ring), `${last.group}: a healthy project after all of these`)];
}

function show({ attack, seconds, verdict, wrong }: AttackResult, how: string): Row {
  return report(wrong, `${named(attack)}${how}  ${seconds.toFixed(1)} s  ${verdict}`);
}

function report(wrong: string[], words: string): Row {
  console.log(`${wrong.length > 0 ? "NOT" : "ok "}  ${words}`);
  for (const line of wrong) console.log(`       ${line}`);
  return wrong.length > 0 ? "not held off" : "held off";
}

function named({ group, name }: Attack): string {
  return `${group}: ${name}`;
}
