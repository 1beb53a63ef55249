import { describe, expect, it } from "vitest";
import { draftOrErrors, programData } from "../../program-text.ts";
import { type Finding, inWords } from "../finding.ts";
import { errorsIn } from "../lint/lint.ts";
import { worstCaseSteps } from "../lint/worst-case.ts";
import { readProgramData } from "../read-program.ts";
import type { Program } from "../schema.ts";
import { CALLED_PROGRAMS, type CallAnswer, type LinkedProgram, linkCalls, linkNow, linkSoon } from "./link.ts";
import { parametersOf } from "./parameters.ts";

const read = (instructions: unknown, more: object = {}): Program => {
  const found = readProgramData({ data: { instructions, ...more }, placeOf: () => undefined });
  if ("findings" in found) throw new Error(found.findings.map(inWords).join("\n"));
  return found.program;
};

const call = (program: string, given?: object) => ({ kind: "call", program, ...(given ? { with: given } : {}) });

type Files = Record<string, unknown>;

function answerFrom(files: Files, asked: string[] = []) {
  return ({ program }: { program: string }): CallAnswer => {
    asked.push(program);
    if (!Object.hasOwn(files, program)) return { problem: `there is no ${program}.` };
    const given = files[program] as { instructions?: unknown };
    const parsed = given.instructions ? read(given.instructions, given) : read(given);
    return { found: { key: program, name: program, program: parsed, placeOf: () => ({ line: 7, column: 3 }) } };
  };
}

const options = { lint: errorsIn, origin: { key: "top", name: "top" } };

const link = (instructions: unknown, files: Files, asked?: string[]): LinkedProgram =>
  linkNow(linkCalls(read(instructions), options), answerFrom(files, asked));

const words = ({ findings }: { findings: Finding[] }): string[] => findings.map(inWords);

describe("linking", () => {
  it("puts each called program into its call, and reads each file once", () => {
    const asked: string[] = [];
    const files = {
      tests: ["Write the tests of {{module}}.", call("format", { file: "{{module}}.ts" })],
      format: ["Format {{file}}."],
    };
    const linked = link(
      [call("tests", { module: "cli" }), "Between.", call("tests", { module: "api" }), call("format", { file: "x" })],
      files,
      asked,
    );
    expect(words(linked)).toEqual([]);
    expect(linked.called.map(({ name }) => name)).toEqual(["tests", "format"]);
    expect(worstCaseSteps(linked.program)).toBe(6);
    const lowered = draftOrErrors(linked);
    if ("findings" in lowered) throw new Error(words(lowered).join());
    expect(lowered.draft.instructions.map(({ text }) => text)).toEqual([
      ...["Write the tests of {{module}}.", "Format {{file}}.", "Between."],
      ...["Write the tests of {{module}}.", "Format {{file}}.", "Format {{file}}."],
    ]);
    // What is sent is a program of its own: it needs no file any more.
    const sent = JSON.parse(JSON.stringify(programData(lowered.draft)));
    const again = linkNow(linkCalls(read(sent.instructions), options), () => ({ problem: "no file is asked for" }));
    expect(words(again)).toEqual([]);
    expect(JSON.stringify(again.program)).toBe(JSON.stringify(linked.program));
  });

  it("is the same where the files come later", async () => {
    const files = { a: ["A.", call("b")], b: ["B."] };
    const now = link([call("a")], files);
    const soon = await linkSoon(linkCalls(read([call("a")]), options), async (asked) => answerFrom(files)(asked));
    expect(soon).toEqual(now);
  });

  it("names a circle by its programs, also one through the program itself", () => {
    const files = { a: ["A.", call("b")], b: [{ kind: "group", body: [call("c")] }], c: [call("a")] };
    expect(words(link([call("a")], files))).toEqual([
      "in c, line 7, column 3: the calls go round in a circle: a → b → c → a. Remove one of these calls.",
    ]);
    expect(words(link([call("a")], { a: [call("top")], top: ["x"] }))).toEqual([
      "in a, line 7, column 3: the calls go round in a circle: top → a → top. Remove one of these calls.",
    ]);
  });

  it("refuses parameters that are missing, and those that nothing uses", () => {
    const files = { a: ["Write {{module}} for {{user}}."], b: ["Nothing."] };
    expect(words(link([call("a", { module: 1, modul: 2 }), call("b", { x: 1 })], files))).toEqual([
      'instruction 1, with: `a` uses {{user}}, and `with` has no value for it. Add "user" to it.',
      "instruction 1, with, modul: `a` never uses {{modul}}. It uses module, user.",
      "instruction 2, with, x: `b` never uses {{x}}. It has no parameters.",
    ]);
    expect(words(link([call("{{a}}")], files))).toEqual([
      "instruction 1, program: the program of a call is fixed. Leave {{…}} out.",
    ]);
  });

  it("finds the names that a program does not give a value to itself", () => {
    const loop = { kind: "for_each", items: ["{{list}}"], as: "item", atMost: 3, body: ["{{item}} of {{whole}}"] };
    const inner = { ...call("x", { a: "{{outer}}" }), body: ["{{a}} is {{notOurs}}"] };
    const { instructions } = read([
      loop,
      "{{item}}",
      inner,
      { kind: "assert", check: { file: "{{f}}", exists: true }, otherwise: "stop" },
    ]);
    expect([...parametersOf(instructions)]).toEqual(["list", "whole", "item", "outer", "f"]);
  });

  it("names what is wrong in a called file there: unknown programs, ids and requirements of its own", () => {
    const files = {
      a: [
        { id: "x", text: "X." },
        { id: "x", text: "Y.", needs: ["z"] },
      ],
      c: { instructions: ["C (R1)"], requirements: [{ id: "R1", text: "short" }] },
    };
    expect(words(link([call("none"), call("a"), call("c")], files))).toEqual([
      "instruction 1, program: there is no none.",
      "in a, line 7, column 3: two instructions have the id `x`. Rename one.",
      "in a, line 7, column 3: `needs` names `z`, and no instruction has this id. There are `x`.",
      "in c, line 7, column 3: a program that is called has no requirements of its own. Move them to the program that calls it; the instructions can go on naming them.",
    ]);
  });

  it("lets each called program have ids of its own", () => {
    const files = {
      a: [
        { id: "x", text: "X." },
        { text: "Y.", needs: ["x"] },
      ],
    };
    const linked = link([{ id: "x", text: "Z." }, call("a"), call("a")], files);
    expect(draftOrErrors(linked)).toHaveProperty("draft");
  });

  it("bounds calls in depth, in number and in size, before the program becomes large", () => {
    const chain = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}`, [call(`p${at + 1}`)]]));
    expect(words(link([call("p0")], chain))).toEqual(["in p7, line 7, column 3: it is inside 8 calls; one less fits."]);
    // Also where the deep end is known from a call that is not deep.
    expect(
      words(link([call("p5"), call("p0")], Object.fromEntries(Object.entries({ ...chain, p9: ["P."] }).slice(0, 10)))),
    ).toEqual([
      "instruction 2, body 1, body 1, body 1, body 1, body 1, body 1, body 1, body 1, body 1: it is inside 9 calls; one less fits.",
    ]);
    const groups = (depth: number, inner: unknown): unknown =>
      Array.from({ length: depth }).reduce((body) => ({ kind: "group", body: [body] }), inner);
    const deep = { deep: [groups(15, call("deeper"))], deeper: [groups(15, "D.")] };
    expect(words(link([call("deep")], deep))[0]).toMatch(/: it is inside 32 blocks and calls; one less fits\.$/);
    const many = Array.from({ length: CALLED_PROGRAMS + 1 }, (_, at) => `m${at}`);
    const files = Object.fromEntries(many.map((name) => [name, ["M."]]));
    expect(
      words(
        link(
          many.map((name) => call(name)),
          files,
        ),
      ),
    ).toEqual([
      `instruction ${CALLED_PROGRAMS + 1}, program: more than ${CALLED_PROGRAMS} programs are called. Merge some of them.`,
    ]);
    const doubling = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`d${at}`, at < 7 ? Array(8).fill(call(`d${at + 1}`)) : ["D."]]),
    );
    expect(words(link([call("d0")], doubling))[0]).toMatch(
      /^in d\d, line 7, column 3: with what is called, the program has more than 10000 instructions\.$/,
    );
    const large = { a: [`${"x".repeat(90_000)}`] };
    expect(words(link(Array(80).fill(call("a")), large))).toEqual([
      "instruction 70: with what is called, the program is larger than 6291456 bytes.",
    ]);
  });
});

it("holds a program to the bounds of a file, with what it calls", () => {
  const items = Array.from({ length: 9_000 }, (_, n) => n);
  const files = { large: [{ kind: "for_each", items, as: "n", atMost: 10_000, body: ["Do {{n}}."] }] };
  const calls = (count: number) => Array.from({ length: count }, () => call("large"));
  expect(words(link(calls(2), files))).toEqual([]);
  expect(words(link(calls(60), files))).toEqual(["it holds more than 500000 values."]);
});
