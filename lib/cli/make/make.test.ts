/** `l2mac make`: its plan, what it refuses, and the new run. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";

const programOf = (...ends: string[]): string =>
  JSON.stringify(
    ends.map((end, index) => ({
      title: `Part ${index + 1}`,
      text: `MARK-${index + 1}-BEGINS Write part ${index + 1}${end}.`,
    })),
  );

let bench: Bench;
let close: () => Promise<void>;
beforeAll(async () => {
  const server = await startProgramServer({ instructions: 2 });
  close = () => server.close();
  bench = aBench({ OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url });
  bench.write("program.json", programOf("", ""));
  const args = ["Write text files.", "--model", "scripted", "--name", "whole", "--program", "program.json"];
  const { code, stderr } = await bench.run(args);
  expect(code, stderr).toBe(0);
});
afterAll(async () => {
  await close();
  bench.remove();
});

describe("make", () => {
  it("with --dry-run shows what would be executed and creates nothing", async () => {
    bench.write("changed.json", programOf("", " otherwise"));
    const { code, stderr } = await bench.run(["make", "whole", "--program", "changed.json", "--dry-run"]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("1 of 2 steps taken over without a model call");
    expect(stderr).toContain("execute 2. ");
    expect(stderr).toContain("Dry run: nothing was created or paid.");
    const json = await bench.run(["make", "whole", "--program", "changed.json", "--dry-run", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      type: "make_plan",
      steps: [{ decision: "copy", from: 1 }, { decision: "execute" }],
      price: { execute: { steps: 1 }, check: { steps: 0 } },
    });
    expect((await bench.run(["list"])).stdout.trim().split("\n").length).toBe(2);
  });

  it("walks a program with blocks, and takes over what is the same in it", async () => {
    const body = JSON.parse(programOf("", " otherwise"));
    bench.write("blocks.json", JSON.stringify([{ kind: "group", body }]));
    const { code, stderr } = await bench.run(["make", "whole", "--program", "blocks.json", "--dry-run"]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("1 of 2 steps taken over without a model call");
  });

  it("begins the run that it planned, and says what became of each step", async () => {
    const { code, stdout, stderr } = await bench.run(["make", "whole", "--name", "again"]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("2 of 2 steps taken over without a model call");
    expect(stderr).toContain("Price: nothing is asked of a model.");
    expect(`${stdout}${stderr}`).toContain("taken over without a model call (it cost");
    expect(await bench.run(["replay", "again"])).toMatchObject({ code: 0 });
  });

  it("refuses what it cannot make anything of before anything is created", async () => {
    bench.write("empty.md", "# Program\n");
    expect(await bench.run(["make", "whole", "--program", "empty.md"])).toMatchObject({ code: 2 });
    bench.write("blank.txt", "  \n");
    expect(await bench.run(["make", "whole", "--spec", "blank.txt"])).toMatchObject({ code: 2 });
    expect(await bench.run(["make", "nowhere"])).toMatchObject({ code: 2 });
    expect((await bench.run(["list"])).stdout.trim().split("\n").length).toBe(3);
  });
});
