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

const surroundings = await openOutside();
try {
  process.env.TMPDIR = surroundings.outside.scratch;
  process.exitCode = await attackAll(surroundings);
} finally {
  await surroundings.close();
}

async function attackAll(surroundings: Surroundings): Promise<number> {
  const { evaluator, sealed } = open(surroundings, process.env);
  if (!sealed.sealed) {
    console.log(
      `The evaluator is not sealed here: ${sealed.how}. Nothing was attacked. Next: apt-get install bubblewrap`,
    );
    return 1;
  }
  const bare = open(surroundings, process.env, true).evaluator;
  const healthy = await healthyVerdict(evaluator);
  const rings = { sealed: { evaluator, surroundings, healthy }, bare: { evaluator: bare, surroundings, healthy } };
  surroundings.changed();
  console.log(`The evaluator is sealed by ${sealed.how}.`);
  const struck: (Struck | undefined)[] = [];
  for (const attack of chosen) struck.push(...(await strikeAll(attack, rings)));
  const held = struck.filter((one) => one?.wrong.length === 0).length;
  const skipped = struck.filter((one) => one === undefined).length;
  console.log(`${struck.length} attacks, ${struck.length - held - skipped} not held off, ${skipped} not tried here.`);
  return held === struck.length && held > 0 ? 0 : 1;
}

function open({ outside }: Surroundings, env: NodeJS.ProcessEnv, unsealed = false) {
  return openEvaluator({ home: outside.l2macHome, env, announce: () => {}, unsealed });
}

async function strikeAll(attack: Attack, rings: { sealed: Ring; bare: Ring }): Promise<(Struck | undefined)[]> {
  if ((attack.needs && noPython) || (attack.needs === "pytest" && !pytest)) {
    console.log(`-    ${named(attack)}  needs ${attack.needs === "pytest" ? "pytest" : "python3"}`);
    return [undefined];
  }
  const found = [show(await strike(attack, rings.sealed), "")];
  return attack.alsoUnsealed ? [...found, show(await strike(attack, rings.bare), ", unsealed")] : found;
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
