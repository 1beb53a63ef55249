/** What a landing runs of the long checks: what changed, and a sixth of the rest. */
import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checksOf, type Landing, testsOf } from "../.ci/parts.ts";
import { MUTATIONS, sourcesOfTest } from "../.ci/suites.ts";
import { INTEGRATION } from "../vitest.config.ts";

const tests = globSync(INTEGRATION);
const landing = (part: number, ...changed: string[]): Landing => ({ part, changed, isRelease: false });
const six = [0, 1, 2, 3, 4, 5].map((part) => landing(part));
const wordsOf = (each: Landing): string[] => checksOf(each).map(({ command }) => command.join(" "));
const mutationsOf = (each: Landing): string[] => checksOf(each).at(-1)?.command.slice(5) ?? [];

describe("six landings in a row", () => {
  it("run every test, every mutation and every part of the long checks", () => {
    expect(new Set(six.flatMap((each) => testsOf(each, tests)))).toEqual(new Set(tests));
    expect(six.flatMap(mutationsOf).toSorted()).toEqual(MUTATIONS.map(({ name }) => name).toSorted());
    const all = six.flatMap(wordsOf).join("\n");
    for (const part of ["1/6", "2/6", "3/6", "4/6", "5/6", "6/6"])
      for (const suite of ["world -- --third 1", "matrix --", "corpus --"])
        expect(all).toContain(`evaluator:${suite} --shard ${part}`);
    for (const word of ["llama", "templates", "litellm", "smollm", "polyglot", "humaneval", "stack", "image_packages"])
      expect(all).toContain(word);
  });

  it("have about a sixth of the other tests each, and none twice", () => {
    const others = tests.filter((test) => sourcesOfTest(test).length > 0);
    const counts = six.map((each) => testsOf(each, others).length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(others.length);
    for (const count of counts) expect(count).toBeGreaterThan(others.length / 12);
  });

  it("run each time what is about every run, and the attacks on the evaluator", () => {
    const always = tests.filter((test) => sourcesOfTest(test).length === 0);
    expect(always).toContain("test/scenarios/run.test.ts");
    for (const each of six) {
      expect(testsOf(each, always)).toEqual(always);
      expect(wordsOf(each)).toContain("npm run evaluator:hostile --");
    }
  });
});

describe("a landing", () => {
  it("runs the tests of the rooms that it changed, in any sixth", () => {
    const lanes = tests.filter((test) => test.startsWith("test/scenarios/lanes/"));
    expect(lanes.length).toBeGreaterThan(10);
    for (const { part } of six) {
      expect(testsOf(landing(part, "lib/control/lanes/join-step.ts"), lanes)).toEqual(lanes);
      expect(testsOf(landing(part, lanes[0] ?? ""), lanes)).toContain(lanes[0]);
    }
  });

  it("runs the mutations of each file that it changed", () => {
    const [{ name, source } = { name: "", source: "" }] = MUTATIONS;
    expect(source).toMatch(/^lib\/.*\.ts$/);
    for (const { part } of six) expect(mutationsOf(landing(part, source))).toContain(name);
  });

  it("runs the real projects of a language that it changed", () => {
    const words = six.map(({ part }) => wordsOf(landing(part, "lib/evaluator/languages/go/go.ts")));
    for (const [part, shard] of ["1/3", "2/3", "3/3"].entries())
      expect(words[part]).toContain(`npm run evaluator:world -- --third 1 --shard ${shard} --mutants 3 --only go:`);
  });

  it("plays a sixth of the acts in the cloud, and all where it changed what is deployed, or where six landings begin", () => {
    expect(wordsOf(landing(4))).toContain("npm run rehearse:cloud -- --shard 5/6 --acts 5/6");
    expect(wordsOf(landing(0))).toContain("npm run rehearse:cloud -- --shard 1/6");
    expect(wordsOf(landing(4, "lib/cloud/stack.ts"))).toContain("npm run rehearse:cloud -- --shard 2/3");
    expect(wordsOf({ part: 4, isRelease: true })).toContain("npm run rehearse:cloud --");
  });

  it("runs a third of the tests and mutations where everything changed, or the commit before is unknown", () => {
    const unknown = [0, 1, 2].map((part) => ({ part, isRelease: false }));
    const others = tests.filter((test) => sourcesOfTest(test).length > 0);
    const thirds = unknown.map((each) => testsOf(each, others));
    expect(thirds.flat().toSorted()).toEqual(others.toSorted());
    for (const third of thirds) expect(third.length).toBeLessThan(others.length / 2);
    expect(unknown.flatMap(mutationsOf).toSorted()).toEqual(MUTATIONS.map(({ name }) => name).toSorted());
    const everything = globSync("{lib,lambdas,packages,test}/**/*.ts");
    for (const each of six) expect(testsOf({ ...each, changed: everything }, tests).length).toBeLessThan(145);
  });
});

describe("a release", () => {
  it("runs everything with its full counts", () => {
    const release: Landing = { part: 0, isRelease: true };
    expect(testsOf(release, tests).toSorted()).toEqual(tests.toSorted());
    expect(mutationsOf(release)).toHaveLength(MUTATIONS.length);
    for (const whole of ["npm run evaluator:world --", "npm run evaluator:corpus --", "npm run faults --"])
      expect(wordsOf(release)).toContain(whole);
  });
});
