import { describe, expect, it } from "vitest";
import { processorMs } from "../../../../../test/doubles/enough-time.ts";
import { placed } from "../finding.ts";
import { readMarkdown } from "../markdown/read-markdown.ts";
import { readProgramData } from "../read-program.ts";
import { worstCaseCost } from "./cost.ts";
import { lintProgram } from "./lint.ts";

function lintOf(text: string) {
  const source = readMarkdown(text);
  if ("findings" in source) throw new Error(source.findings[0]?.message);
  const read = readProgramData(source);
  if ("findings" in read) throw new Error(read.findings[0]?.message);
  const { findings, steps } = lintProgram(read.program);
  const lines = placed(findings, source.placeOf)
    .filter(({ message }) => !message.includes("this version"))
    .map(({ place, severity, message }) => `${place?.line}:${place?.column} ${severity} ${message}`);
  return { lines, steps };
}

const TESTS = '{"tests":true}';

describe("the linter", () => {
  it.each([
    ["1. **a** {#x}\n2. **b** {#x}", "2:11 error two instructions have the id `x`."],
    ["1. **a** {needs=nope}", "1:11 error `needs` names `nope`, and no instruction has this id."],
    ["1. **a** {needs=b}\n2. **b** {#b}", "1:11 error `b` comes later in the file."],
    ["1. **a** {#a needs=a}", "1:14 error `needs` goes round in a circle: a → a."],
    [
      "1. **a** {#a needs=c}\n2. **b** {#b needs=a}\n3. **c** {#c needs=b}",
      "1:14 error `needs` goes round in a circle: a → c → b → a.",
    ],
    [
      "1. {#g .group}\n   1. **a** {needs=g}",
      "2:14 error `g` is a block around this instruction: it has not ended before.",
    ],
    [
      `1. {.if condition=${TESTS}}\n   1. **a** {#a}\n   2. {.else}\n      1. **b** {needs=a}`,
      "4:17 error `a` is in another branch: both are never executed.",
    ],
    [
      `1. {#r .repeat until=${TESTS} atMost=2}\n   1. **a** {#a}\n2. **b** {needs=a}`,
      "3:11 warning `a` is inside a `repeat`: it may be executed never or several times.",
    ],
    [
      `1. {.assert check=${TESTS} otherwise=stop}\n2. {.if condition=${TESTS}}\n   1. **a**\n   2. {.else}\n      1. **b**`,
      "4:4 warning this is never executed: the condition always holds here.",
    ],
    [
      `1. {.if condition=${TESTS}}\n   1. **a**\n   2. {.else}\n      1. {.if condition=${TESTS}}\n         1. **b**`,
      "4:7 warning this is never executed: the condition never holds here.",
    ],
    [
      `1. {.if condition=${TESTS}}\n   1. **a**\n   2. {.else}\n      1. {.assert check=${TESTS} otherwise=stop}`,
      "4:19 error this check always fails here: the run would always stop.",
    ],
    ["1. {.for_each items=[] as=x atMost=1}\n   1. a {{x}}", "1:15 warning this is never executed: the list is empty."],
    [
      "1. {.for_each items=[1,2,3] as=x atMost=2}\n   1. a {{x}}",
      "1:15 error it has 3 items, and atMost is 2: the run would stop.",
    ],
    [
      '1. {.for_each items={"glob":"*"} as=x atMost=2}\n   1. a',
      "1:34 warning the body never uses {{x}}: each round would do the same.",
    ],
    ["# Requirements\n- R1: a\n- R2: b\n# Program\n1. **a** (R1)", "3:1 warning no instruction serves R2."],
    [
      '# Requirements\n- R1: a\n# Program\n1. **a** (R1)\n2. {.assert check={"requirement":"R7","proven":true} otherwise=stop}',
      "5:13 error the program has no requirement R7.",
    ],
    [
      '1. {.assert check={"file":"a","matches":"("} otherwise=stop}',
      "1:13 error this is no regular expression in the syntax of RE2.",
    ],
    [
      '1. {.assert check={"file":"a","matches":"((a{0,100}){0,10}){0,2}"} otherwise=stop}',
      "1:13 error this is no regular expression in the syntax of RE2.",
    ],
    [
      "1. {.ask saveTo=.git/hooks/pre-commit}\n\n   Which?",
      '1:10 error the answer cannot be saved: ".git/hooks/pre-commit" lies in .git, which is not part of the run.',
    ],
    [
      `1. {.repeat until=${TESTS} atMost=5000}\n   1. a\n   2. b\n   3. c`,
      "1:1 error The program can take 15000 steps; at most 10000 are executed.",
    ],
    [
      `1. a\n2. {.for_each items={"glob":"*"} as=x atMost=300}\n   1. {.for_each items={"glob":"{{x}}"} as=y atMost=300}\n      1. {.assert check={"argv":["true","{{x}}","{{y}}"]} otherwise=stop}`,
      "1:1 error The program can make 90301 checks; at most 50000 are made.",
    ],
    [
      `1. a\n2. {.for_each items={"glob":"*"} as=x atMost=10000}\n   1. {.ask saveTo=x.txt}\n\n      {{x}}?`,
      "1:1 error The program can take 10001 steps, questions included; at most 10000 are executed.",
    ],
  ])("%# names the place and what is wrong", (text, line) => {
    expect(lintOf(text).lines).toEqual([line]);
  });

  it("takes nothing for certain that a step may have changed", () => {
    const check = `{.assert check=${TESTS} otherwise=stop}`;
    const branch = `{.if condition=${TESTS}}\n   1. **x**\n   2. {.else}\n      1. **y**`;
    expect(lintOf(`1. ${check}\n2. **a**\n3. ${branch}`).lines).toEqual([]);
    expect(lintOf(`1. ${check}\n2. {.call program=p.md}\n3. ${branch}`).lines).toEqual([]);
  });

  it("counts steps in the worst case: the longer branch, every round, one repair", () => {
    const text = `1. a\n2. {.if condition=${TESTS}}\n   1. b\n   2. {.else}\n      1. c\n      2. d\n3. {.for_each items={"glob":"*"} as=x atMost=4}\n   1. {.repeat until=${TESTS} atMost=3}\n      1. {{x}}\n      2. {.assert check=${TESTS} otherwise=repair}`;
    expect(lintOf(text).steps).toBe(1 + 2 + 4 * 3 * 2);
  });

  it("keeps what both branches agree on, and what was known before them", () => {
    const [files, unsure] = ['{"file":"a","matches":"x"}', '{"file":"b","matches":"x"}'];
    const known = `1. {.assert check=${TESTS} otherwise=stop}\n`;
    const stop = (condition: string) => `{.assert check=${condition} otherwise=stop}`;
    const branches = (one: string, other: string) =>
      `2. {.if condition=${unsure}}\n   1. ${one}\n   2. {.else}\n      1. ${other}\n`;
    const then = (condition: string) => `3. {.if condition=${condition}}\n   1. **x**\n   2. {.else}\n      1. **y**`;
    const always = ["8:4 warning this is never executed: the condition always holds here."];
    const linesOf = (one: string, other: string, condition: string) =>
      lintOf(known + branches(one, other) + then(condition)).lines;
    expect(linesOf(stop(files), stop(files), files)).toEqual(always);
    expect(linesOf(stop(files), stop(TESTS), files)).toEqual([]);
    expect(linesOf(stop(files), stop(files), TESTS)).toEqual(always);
    expect(linesOf(stop(files), stop(files), unsure)).toEqual([]);
    expect(linesOf("**a**", stop(files), TESTS)).toEqual([]);
    expect(linesOf(`**a**\n   2. ${stop(files)}`, stop(files), files)).toEqual([always[0]?.replace("8", "9")]);
  });

  it("is quick with as many checks and branches as fit into a program", () => {
    const check = (at: number) => ({ kind: "assert", check: { file: `f${at}`, matches: "x" }, otherwise: "stop" });
    const branch = (at: number): unknown =>
      JSON.parse(`{"kind":"if","condition":{"file":"g${at}","matches":"x"},"then":[${JSON.stringify(check(at))}]}`);
    const read = readProgramData({
      data: [
        ...Array.from({ length: 5_000 }, (_, at) => check(at)),
        ...Array.from({ length: 2_400 }, (_, at) => branch(at)),
      ],
      placeOf: () => undefined,
    });
    if ("findings" in read) throw new Error(read.findings[0]?.message);
    const took = processorMs(() => {
      const { findings } = lintProgram(read.program);
      expect(findings.filter(({ message }) => !message.includes("this version"))).toEqual([]);
    });
    expect(took).toBeLessThan(1_000);
  });

  it("names a hundred errors of needs, and says that there are more", () => {
    const ring = Array.from({ length: 300 }, (_, at) => {
      const needs = Array.from({ length: 60 }, (_, by) => `n${(at + by * 5 + 1) % 300}`);
      return `- **a** {#n${at} needs=${needs.join()}}`;
    });
    const { lines } = lintOf(ring.join("\n"));
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toContain("error ids and `needs` have more errors; the first 100 are named.");
  });

  it("names a hundred warnings of needs, and still every error", () => {
    const users = Array.from({ length: 150 }, () => "- **b** {needs=a}").join("\n");
    const text = `- {#r .repeat until=${TESTS} atMost=2}\n  - **a** {#a}\n${users}\n- **c** {needs=nope}`;
    const { lines } = lintOf(text);
    expect(lines[0]).toContain("error `needs` names `nope`");
    expect(lines.slice(1)).toHaveLength(101);
    expect(lines.at(-1)).toContain("warning ids and `needs` have more warnings; the first 100 are named.");
  });

  it("is quick with the longest programs, and with needs between all of them", () => {
    const items = Array.from({ length: 10_000 }, (_, at) => `- **a** {#n${at}${at > 0 ? ` needs=n${at - 1},n0` : ""}}`);
    const took = processorMs(() => expect(lintOf(items.join("\n")).lines).toEqual([]));
    expect(took).toBeLessThan(10_000);
  });
});

describe("the worst-case cost", () => {
  it("is what a call costs that fills the window with the longest answer, for every turn of every step", () => {
    const profile = { contextWindow: 100_000, maxOutputTokens: 20_000, price: { input: 1, output: 5 } };
    expect(worstCaseCost(2, profile)).toEqual({ calls: 404, microUsdPerCall: 180_000, microUsd: 72_720_000 });
    expect(worstCaseCost(2, { ...profile, price: undefined })).toEqual({ calls: 404 });
  });
});
