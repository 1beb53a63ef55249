/** What a lane was shown of its own files, and wrote down, joins only where the run's files say the same. */
import { describe, expect, it } from "vitest";
import type { Evaluator, Model, ModelRequest } from "../../../lib/core/ports.ts";
import { unpackTree } from "../../../lib/pack/pack.ts";
import { look } from "../../doubles/deaths.ts";
import { obey, submissionOf, textOf } from "../../doubles/lane-programs.ts";
import { aVerdict, compute } from "../../doubles/machines.ts";
import { nappingClock } from "../../doubles/napping-clock.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { lastText, placeOf, type Said, scriptedModel, writeFile } from "../../doubles/scripted-model.ts";

const { opened } = openedMachines();

/** As many tests pass as there are files, and every command prints how many these are. */
const countingEvaluator: Evaluator = {
  async evaluate({ base, changes, command }) {
    const paths = new Set(unpackTree(await base.load()).keys());
    for (const { path, content } of changes) content === null ? paths.delete(path) : paths.add(path);
    const verdict = aVerdict({ tests: { passed: paths.size } });
    const stdout = `${paths.size} files`;
    return command ? { ...verdict, command: { status: "passed", exitCode: 0, stdout, stderr: "" } } : verdict;
  },
};

/** While the run is at the second instruction, a lane executes the third: looks, and writes down what it saw. */
async function recorded(
  sight: NonNullable<Said["calls"]>[number],
  path: string,
  second = "write log.txt a longer log",
) {
  const looking = Promise.withResolvers<void>();
  const asked: string[] = [];
  const script = scriptedModel((request: ModelRequest): Said => {
    const { answers } = placeOf(request);
    if (!textOf(request).includes(": Recorder\n") || answers > 1) return obey(request);
    return { calls: [answers === 0 ? sight : writeFile(path, lastText(request))] };
  });
  const model: Model = {
    async ask(request, signal, progress) {
      if (textOf(request).includes(": Recorder\n")) {
        looking.resolve();
        asked.push(textOf(request));
      }
      // The run goes on when the lane has begun.
      if (textOf(request).includes(": Second\n")) await looking.promise;
      return script.ask(request, signal, progress);
    },
  };
  const machine = opened({ model, evaluator: countingEvaluator, clock: nappingClock });
  const instructions = [
    { id: "a", title: "First", text: "write log.txt a log" },
    { id: "b", title: "Second", text: second },
    { id: "c", needs: ["a"], title: "Recorder", text: "Write down what there is." },
  ];
  const run = await compute(machine, await submissionOf(instructions, 2));
  expect(run.status).toBe("completed");
  expect((await machine.replay(run.id)).difference).toBeUndefined();
  const { events, tree } = await look(machine, run.id);
  const joining = events.find(({ type }) => type === "joined" || type === "dropped");
  return { joining, text: tree[path] ?? "", asked };
}

describe("a lane that lists files", () => {
  it("executes its step again where one has grown meanwhile, and is shown what the lane did", async () => {
    const { joining, text, asked } = await recorded(["list_files", {}], "sizes.txt");
    expect(joining).toMatchObject({ type: "dropped", instruction: 3 });
    expect(text).toContain("log.txt (13 bytes, 1 line");
    // The run's own conversation is shown what the lane did.
    expect(asked[0]).not.toContain("sizes.txt");
    expect(asked.at(-1)).toContain(
      "You did this instruction on the files after instruction 1, and it was accepted there.",
    );
    expect(asked.at(-1)).toMatch(
      /set aside: the list of files was .* meanwhile\. Nothing of it is in the files now\.\n/,
    );
    expect(asked.at(-1)).toContain("2. Second, accepted meanwhile: done");
    expect(asked.at(-1)).toMatch(/## sizes\.txt: your new file\nlog\.txt \(6 bytes/);
  });

  it("joins where what it was shown is as it was", async () => {
    const { joining } = await recorded(["list_files", { prefix: "log" }], "sizes.txt", "write other.txt other");
    expect(joining).toMatchObject({ type: "joined", instruction: 3 });
  });
});

describe("a lane that runs checks or commands on other files", () => {
  it.each([
    ["run_checks", {}, "2 passed"],
    ["run_command", { argv: ["ls"] }, "2 files"],
  ])("executes its step again where it wrote a text: %s", async (tool, given, seen) => {
    const { joining, text } = await recorded([tool, given], "REPORT.md", "write other.txt other");
    expect(joining).toMatchObject({ type: "dropped", why: expect.stringContaining("REPORT.md") });
    expect(text).toContain(seen);
  });

  it("joins the code that it wrote, which the gate runs", async () => {
    const { joining } = await recorded(["run_checks", {}], "report.js", "write other.txt other");
    expect(joining).toMatchObject({ type: "joined", instruction: 3 });
  });

  it.fails.each([
    ["run_checks", {}, "2 passed"],
    ["run_command", { argv: ["ls"] }, "2 files"],
  ])("joins no code that holds what it saw there, which no test notices (it joins): %s", async (tool, given, seen) => {
    const { text } = await recorded([tool, given], "report.js", "write other.txt other");
    expect(text).toContain(seen);
  });
});
