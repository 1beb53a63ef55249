import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listeningShell } from "../../../test/doubles/listening-shell.ts";
import { readProgram } from "../../files/program-file.ts";
import { projectFile } from "../../files/project-files.ts";
import { lintProgramFile } from "./lint-program.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "l2mac-lint-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function lint(flags: Record<string, string>, words: string[] = []) {
  const { shell, ...heard } = listeningShell(cwd);
  const code = await lintProgramFile({ words, flags: new Map(Object.entries(flags)) }, shell);
  return { code, out: heard.out(), said: heard.said };
}

const write = (name: string, content: string): string => {
  writeFileSync(join(cwd, name), content);
  return name;
};

describe("plan --lint", () => {
  it("ends with 0 where nothing is wrong, and says what the program costs at most", async () => {
    const { code, out, said } = await lint({
      "--lint": projectFile("examples/program.md"),
      "--model": "openai/gpt-5.5",
    });
    expect([code, out]).toEqual([0, ""]);
    expect(said[0]).toBe("3 instructions; at most 3 steps and 606 model calls (202 a step).");
    expect(said[1]).toMatch(
      /^Worst case with openai\/gpt-5\.5: \$\d+\.\d\d, .* The run ends at its budget of \$5\.00\.$/,
    );
  });

  it("ends with 1 for warnings and 2 for errors, each on a line that editors read", async () => {
    const warned = write("warned.md", "# Requirements\n- R1: a\n# Program\n1. **b** {#b}");
    expect(await lint({ "--lint": warned })).toMatchObject({
      code: 1,
      out: "warned.md:2:1: warning: no instruction serves R1. Name it at an instruction: (R1) after its title, or requirements: [R1].\n",
    });
    const wrong = write("wrong.yaml", "- text: a\n  needs: [b]\n");
    const { code, out } = await lint({ "--lint": wrong });
    expect(code).toBe(2);
    expect(out).toBe(
      "wrong.yaml:2:11: error: `needs` names `b`, and no instruction has this id. No instruction has an id.\n",
    );
    expect(() => readProgram(join(cwd, wrong))).toThrow("line 2, column 11: `needs` names `b`");
  });

  it("names requirements that instructions serve and the list does not have, as a run refuses them", async () => {
    const list = "# Requirements\n- R1: a\n- R2: b\n# Program\n";
    const file = write("unknown.md", `${list}1. **b** (R1, R3)\n2. {.group}\n   1. **c** (R2.1)\n3. **d** (R2)`);
    const { code, out } = await lint({ "--lint": file });
    expect([code, out.split("\n").map((line) => line.split(": ").slice(1).join(": "))]).toEqual([
      2,
      [
        "error: the program has no requirement R3. It has R1, R2.",
        "error: the program has no requirement R2.1. It has R1, R2.",
        "",
      ],
    ]);
    const free = write("free.md", "1. **b** (R3)");
    expect((await lint({ "--lint": free })).code).toBe(0);
  });

  it("gives all of it as JSON", async () => {
    const file = write(
      "two.md",
      '1. **a**\n2. {.repeat until={"tests":true} atMost=3}\n   1. b\n3. {.for_each items=["c"] as=x atMost=1}\n   1. c',
    );
    const { code, out, said } = await lint({
      "--lint": file,
      "--json": "",
      "--price": "1,2",
      "--model": "own",
      "--context-window": "4000",
    });
    expect([code, said]).toEqual([1, []]);
    expect(JSON.parse(out)).toEqual({
      ...{ file, instructions: 5, steps: 5, checks: 3, questions: 0, calls: 1_010, model: "own", notices: [] },
      ...{ budgetUsd: 5, askAboveUsd: 100, microUsdPerCall: 6_000, microUsd: 6_060_000, usualMicroUsd: 360_000 },
      findings: [
        {
          ...{
            severity: "warning",
            path: ["instructions", 2, "as"],
            line: 4,
            column: 27,
            remedy: "Write {{x}} where the item goes.",
          },
          message: "the body never uses {{x}}: each round would do the same.",
        },
      ],
    });
  });

  it("has the price of the dearest model of several, as a run has that decides whether it asks", async () => {
    const file = write("one.md", "1. **a**\n");
    const costWith = async (model: string) =>
      JSON.parse((await lint({ "--lint": file, "--json": "", "--model": model })).out);
    const [cheap, dear] = ["anthropic/claude-haiku-4-5", "anthropic/claude-opus-5"];
    const alone = await costWith(dear);
    expect((await costWith(cheap)).usualMicroUsd).toBeLessThan(alone.usualMicroUsd);
    expect(await costWith(`${cheap},${dear}`)).toEqual(alone);
    expect((await costWith(`${dear},unknown/model`)).usualMicroUsd).toBeUndefined();
  });

  it("converts to the notation that --out asks for, also task lists", async () => {
    const from = projectFile("examples/every-kind.md");
    cpSync(projectFile("examples/programs"), join(cwd, "programs"), { recursive: true });
    expect(await lint({ "--lint": from, "--out": "every.json" })).toMatchObject({ code: 0 });
    expect(await lint({ "--lint": "every.json", "--out": "every.md" })).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "every.md"), "utf8")).toBe(readFileSync(from, "utf8"));
    const tasks = projectFile("examples/task-lists/spec-kit/tasks.md");
    const { code, said } = await lint({ "--lint": tasks, "--out": "tasks.yaml" });
    expect([code, said[0]]).toEqual([0, "A task list of spec-kit: 5 of 6 tasks; 1 done task is left out."]);
    expect(readProgram(join(cwd, "tasks.yaml"))).toEqual(readProgram(tasks));
  });

  it("names what is wrong with a program that is called by its own file, and counts its steps", async () => {
    mkdirSync(join(cwd, "programs"));
    write("programs/parts.md", '1. {.for_each items={"glob":"*"} as=part atMost=3}\n   1. Check {{module}}.');
    const file = write("calls.md", '1. a\n2. {.call program=programs/parts.md with={"module":"cli"}}');
    const { code, out, said } = await lint({ "--lint": file, "--json": "" });
    expect([code, said]).toEqual([1, []]);
    expect(JSON.parse(out)).toMatchObject({ instructions: 4, steps: 4 });
    const text = await lint({ "--lint": file });
    expect(text.out).toBe(
      [
        "programs/parts.md:1:34: warning: the body never uses {{part}}: each round would do the same. Write {{part}} where the item goes.\n",
      ].join(""),
    );
    const wrong = write("wrong.md", "1. {.call program=programs/parts.md}\n2. {.call program=none}");
    expect((await lint({ "--lint": wrong })).out).toContain(
      'wrong.md:1:1: error: `programs/parts.md` uses {{module}}, and `with` has no value for it. Add "module" to it.\n' +
        "wrong.md:2:11: error: there is no program `none` in ",
    );
  });

  it("writes nothing where the program cannot be read, and reads one file only", async () => {
    const wrong = write("wrong.md", "1. {.repeat}");
    expect(await lint({ "--lint": wrong, "--out": "out.md" })).toMatchObject({ code: 2 });
    expect(existsSync(join(cwd, "out.md"))).toBe(false);
    await expect(lint({ "--lint": wrong }, ["a task"])).rejects.toThrow("--lint reads wrong.md and nothing else.");
    await expect(lint({ "--lint": "none.md" })).rejects.toThrow("there is no such file");
  });

  it("writes over nothing that is there, and says what to do", async () => {
    const file = write("good.md", "1. **a**");
    mkdirSync(join(cwd, "folder.md"));
    for (const out of [write("there.md", "mine"), "folder.md"]) {
      await expect(lint({ "--lint": file, "--out": out })).rejects.toMatchObject({
        ...{ name: "L2mac.UserError", exitCode: 2, remedy: expect.stringContaining("the name of a new file") },
        message: `--out ${out} is there already; it was not changed.`,
      });
    }
    expect(readFileSync(join(cwd, "there.md"), "utf8")).toBe("mine");
  });

  it("shows no control characters of a file", async () => {
    const file = write("escape.json", JSON.stringify([{ text: "a", needs: ["b"], "\u001b[2Jx": 1 }]));
    const { out } = await lint({ "--lint": file });
    expect(out).toContain("has no field");
    expect(out).not.toContain("\u001b");
  });
});
