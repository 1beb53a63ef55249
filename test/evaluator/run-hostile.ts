/** `npm run evaluator:hostile`: attacks the sealed evaluator in every way that we know, and shows what held. */
import { openEvaluator } from "../../lib/local/open-evaluator.ts";
import { noPython, pythonCan } from "../doubles/evaluation.ts";
import type { Attack } from "./hostile/attack.ts";
import { attacks } from "./hostile/attacks.ts";
import { openOutside, type Surroundings } from "./hostile/outside.ts";
import { healthyVerdict, type Ring, type Struck, strike } from "./hostile/strike.ts";

const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const chosen = attacks.filter(({ name, group }) => wanted.every((word) => `${group}: ${name}`.includes(word)));
const pytest = pythonCan("import pytest");

/** Those that take all there is are alone; the others are two at once, each with an evaluator of its own. */
const alone = chosen.filter(({ group }) => group === "resources");
const others = chosen.filter(({ group }) => group !== "resources");
const temporary = process.env.TMPDIR ?? "";
const lanes = [await openLane(), await openLane()];
try {
  process.exitCode = await attackAll();
} finally {
  for (const { surroundings } of lanes) await surroundings.close();
}

interface Lane {
  surroundings: Surroundings;
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
  const [first, second] = lanes;
  const { sealed, how } = first?.sealed.sealed ?? { sealed: false, how: "" };
  if (!first || !second || !sealed) {
    console.log(`The evaluator is not sealed here: ${how}. Nothing was attacked. Next: apt-get install bubblewrap`);
    return 1;
  }
  console.log(`The evaluator is sealed by ${how}.`);
  const left = others.values();
  const struck = [
    ...(await strikeAll(alone, first)),
    ...(await Promise.all([strikeAll(left, first), strikeAll(left, second)])).flat(),
  ];
  const held = struck.filter((one) => one?.wrong.length === 0).length;
  const skipped = struck.filter((one) => one === undefined).length;
  console.log(`${struck.length} attacks, ${struck.length - held - skipped} not held off, ${skipped} not tried here.`);
  return held === struck.length && held > 0 ? 0 : 1;
}

async function strikeAll(asked: Iterable<Attack>, { surroundings, sealed, bare }: Lane) {
  const healthy = await healthyVerdict(sealed.evaluator);
  surroundings.changed();
  const ring: Ring = { evaluator: sealed.evaluator, surroundings, healthy };
  const struck: (Struck | undefined)[] = [];
  for (const attack of asked) {
    if (isTried(attack)) struck.push(show(await strike(attack, ring), ""));
    else struck.push(undefined);
    if (attack.alsoUnsealed && isTried(attack))
      struck.push(show(await strike(attack, { ...ring, evaluator: bare.evaluator }), ", unsealed"));
  }
  return struck;
}

function isTried(attack: Attack): boolean {
  const { needs } = attack;
  const missing = needs && (noPython ? "python3" : needs === "pytest" && !pytest ? "pytest" : undefined);
  if (missing) console.log(`-    ${named(attack)}  needs ${missing}`);
  return !missing;
}

function show(struck: Struck, how: string): Struck {
  const { attack, seconds, verdict, wrong } = struck;
  const sign = wrong.length > 0 ? "NOT" : "ok ";
  console.log(`${sign}  ${named(attack)}${how}  ${seconds.toFixed(1)} s  ${verdict}`);
  for (const line of wrong) console.log(`       ${line}`);
  return struck;
}

function named({ group, name }: Attack): string {
  return `${group}: ${name}`;
}
