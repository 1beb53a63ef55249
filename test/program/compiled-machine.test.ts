/** Compiled machines as validators and AWS take them, of every example and of seeded programs. */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../lib/control/files/digest.ts";
import { draftFrom } from "../../lib/core/program/language/executable.ts";
import { inWords } from "../../lib/core/program/language/finding.ts";
import { compileMachine } from "../../lib/core/program/machine/compile-machine.ts";
import { writeMachine } from "../../lib/core/program/machine/write-machine.ts";
import type { Draft } from "../../lib/core/program/program.ts";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import { readControlUnit } from "../../lib/files/control-unit.ts";
import { readProgram } from "../../lib/files/program-file.ts";
import { localDefinition } from "../../lib/local/project-definition.ts";
import { compiledText } from "../doubles/compiled-programs.ts";
import { seededProgram } from "./seeded-program.ts";

/** It declares no types. */
const validate: (definition: unknown) => { isValid: boolean; errorsText: () => string } = createRequire(
  import.meta.url,
)("asl-validator");

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

/** An instruction in so many conditions. */
const nested = (depth: number): unknown =>
  JSON.parse(
    `${'{"kind":"if","condition":{"tests":true},"then":['.repeat(depth)}{"title":"A","text":"B"}${"]}".repeat(depth)}`,
  );

/** Those that a run can execute, by name. */
function executable(): [string, Draft][] {
  const files = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(md|ya?ml|json)$/.test(name),
  );
  return files.flatMap((name): [string, Draft][] => {
    try {
      return [[name, readProgram(join(EXAMPLES, name))]];
    } catch {
      // A task, or a program with parts that no version executes yet.
      return [];
    }
  });
}

/** In one program, because the validator takes most of its time to begin. */
const seeded = (count: number): [string, Draft] => {
  const body = Array.from({ length: count }, (_, seed) => ({ kind: "group" as const, ...bodyOf(seed) }));
  const lowered = draftFrom({ requirements: [], instructions: body });
  if ("findings" in lowered) throw new Error(lowered.findings.map(inWords).join());
  return [`seeds below ${count}`, lowered.draft];
};

const bodyOf = (seed: number) => ({ body: seededProgram(seed).instructions });

const namesIn = (text: string): string[] => {
  const names: string[] = [];
  JSON.parse(text, (key, value) => {
    if (key === "States") names.push(...Object.keys(value));
    return value;
  });
  return names;
};

const filled = (text: string): string =>
  text
    .replaceAll("$" + "{Partition}", "aws")
    .replaceAll("$" + "{LoopLimit}", "1000")
    .replaceAll(/\$\{(\w+)\}/g, "arn:aws:lambda:eu-west-1:123456789012:function:$1");

const program = (instructions: unknown[]): Draft => {
  const draft = draftFromData({ instructions });
  if ("problem" in draft) throw new Error(draft.problem);
  return draft;
};

describe("a compiled machine", () => {
  it("is not made of blocks so deep in each other that their states would share names", () => {
    const compile = (depth: number) =>
      compileMachine(program([nested(depth)]), { controlUnit: readControlUnit(), sha256 });
    expect(Object.keys(compile(8).States).filter((name) => name.length > 80)).toEqual([]);
    expect(() => compile(13)).toThrow("too deep in each other for names of states");
  });

  const programs = [...executable(), seeded(60)];

  it("is accepted by the published schema of the language and by the engine, for every program", () => {
    expect(programs.map(([name]) => name)).toEqual(
      expect.arrayContaining(["program.md", "control-flow.md", "calls.md"]),
    );
    expect(JSON.parse(compiledText(seeded(60)[1])).States).toHaveProperty("60 group");
    const refused = programs.flatMap(([name, draft]) => {
      const text = compiledText(draft);
      const { isValid, errorsText } = validate(JSON.parse(filled(text)));
      localDefinition(text);
      return isValid ? [] : [`${name}: ${errorsText()}`];
    });
    expect(refused).toEqual([]);
  });

  it("names every instruction in states of at most 80 characters, each of them once", () => {
    for (const [, draft] of programs) {
      const names = namesIn(compiledText(draft));
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => name.length > 80)).toEqual([]);
    }
  });

  it("puts no placeholder, markup or secret of a program into the definition", () => {
    const hostile = [
      "$" + "{StateMachineArn} {% $x %} <b>",
      "' or true or '",
      `${"長".repeat(100)}`,
      "AKIAIOSFODNN7EXAMPLE",
    ];
    const text = compiledText(
      program([
        ...hostile.map((title) => ({ title, text: title })),
        { kind: "group", title: "{% 1 %}", body: hostile },
      ]),
    );
    expect(() => localDefinition(text)).not.toThrow();
    expect(validate(JSON.parse(filled(text))).isValid).toBe(true);
    expect(text).not.toContain("AKIAIOSFODNN7EXAMPLE");
    const named = namesIn(text).filter((name) => /^\d/.test(name));
    expect(named).toHaveLength(9);
    for (const name of named) expect(name).not.toMatch(/[${}%<>]/);
    // They stay readable: no character of a title is lost.
    expect(named[0]).toBe("1 ＄｛StateMachineArn｝ ｛％ ＄x ％｝ ＜b＞");
  });

  it("is written in one line where it would be too long, and refused where it is even then", () => {
    const machine = compileMachine(program(["One.", "Two."]), { controlUnit: readControlUnit(), sha256 });
    const short = JSON.stringify(machine);
    expect(writeMachine(machine)).toEqual({ text: `${JSON.stringify(machine, null, 2)}\n` });
    expect(writeMachine(machine, short.length + 1)).toEqual({ text: `${short}\n` });
    expect(writeMachine(machine, short.length)).toEqual({
      problem: `its state machine has ${short.length + 1} bytes, and at most ${short.length} are possible`,
    });
  });
});
