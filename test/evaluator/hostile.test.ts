/** Attacks that the seal holds off succeed without it: what `npm run evaluator:hostile` shows could fail. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LocalEvaluator, openEvaluator } from "../../lib/sandbox/open-evaluator.ts";
import { attacks } from "../../packages/evaluator-lab/hostile/attacks.ts";
import { openOutside, type Surroundings } from "../../packages/evaluator-lab/hostile/outside.ts";
import { strike } from "../../packages/evaluator-lab/hostile/strike.ts";
import { noPython } from "../doubles/evaluation.ts";

let surroundings: Surroundings;
let unsealed: LocalEvaluator;
const temporary = process.env.TMPDIR;

beforeAll(async () => {
  surroundings = await openOutside();
  process.env.TMPDIR = surroundings.outside.scratch;
  const home = surroundings.outside.l2macHome;
  unsealed = openEvaluator({ home, env: process.env, announce: () => {}, unsealed: true });
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
  surroundings.changed();
});
afterAll(() => surroundings.close());

const sample = attacks.filter(({ harmless }) => harmless);

describe.skipIf(process.platform !== "linux")("an attack on an evaluator that is not sealed (Linux only)", () => {
  it("is tried in different ways", () => {
    expect(sample.length).toBeGreaterThanOrEqual(10);
    expect(new Set(attacks.map(({ group, name }) => `${group}: ${name}`)).size).toBe(attacks.length);
  });

  it.skipIf(noPython).each(sample.filter(({ needs }) => needs).map((attack) => [attack.name, attack] as const))(
    "succeeds: %s (needs python3)",
    async (_, attack) => {
      const { wrong } = await strike(attack, { evaluator: unsealed.evaluator, surroundings });
      expect(wrong).not.toEqual([]);
    },
  );

  it.each(sample.filter(({ needs }) => !needs).map((attack) => [attack.name, attack] as const))(
    "succeeds: %s",
    async (_, attack) => {
      const { wrong } = await strike(attack, { evaluator: unsealed.evaluator, surroundings });
      expect(wrong).not.toEqual([]);
    },
  );
});
