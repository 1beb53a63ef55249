import { describe, expect, test } from "vitest";
import { createMemoryBench } from "../../test/servers/memory-bench.ts";
import { notRun, type Verdict } from "../core/verdict/verdict.ts";
import { runCommand } from "./run-command.ts";

function commandBench(exitCode = 0) {
  const asked: object[] = [];
  const bench = createMemoryBench({
    command: async (wanted) => {
      asked.push(wanted);
      const command = {
        status: exitCode === 0 ? ("passed" as const) : ("failed" as const),
        exitCode,
        stdout: "out\n",
        stderr: "",
      };
      return { ...notRun("not_asked"), command };
    },
  });
  return { asked, run: (given: unknown) => runCommand.call("1", JSON.stringify(given), bench) };
}

describe("run_command", () => {
  test("answers with exit code and output, and says that changes to files are discarded", async () => {
    const { asked, run } = commandBench(3);
    const result = await run({ argv: ["node", "a.js"], stdin: "in", timeout_seconds: 5 });
    expect(asked).toEqual([{ argv: ["node", "a.js"], stdin: "in", timeoutSeconds: 5 }]);
    expect(result).toMatchObject({ ok: true, note: "node a.js · exit 3" });
    expect(result.text).toMatch(/^Command: exit code 3\.[\s\S]*stdout:\nout[\s\S]*discarded/);
  });

  test("says why a command was not run, and nothing of discarded changes", async () => {
    const result = await runCommand.call("1", '{"argv":["ls"]}', createMemoryBench());
    expect(result).toMatchObject({ ok: false, note: "ls · not run" });
    expect(result.text).not.toContain("discarded");
  });

  test.each([[{ argv: "ls" }], [{ argv: ["ls"] }], [{ argv: '["ls"]' }], [{ command: ["ls"] }], [["ls"]]])(
    "accepts %j",
    async (given) => {
      const { asked, run } = commandBench();
      await run(given);
      expect(asked).toEqual([{ argv: ["ls"] }]);
    },
  );

  test.each([["npm test"], [["npm test"]], ['"ls"'], ["ls|wc"], ["a&&b"], [[""]]])(
    "refuses %j and shows the accepted form",
    async (argv) => {
      const { asked, run } = commandBench();
      const result = await run({ argv });
      expect(result).toMatchObject({ ok: false, text: expect.stringContaining('{"argv": ["npm", "test"]}') });
      expect(asked).toEqual([]);
    },
  );

  test.each([[0], [1_000], [1.5]])("refuses a time of %d seconds", async (timeout_seconds) => {
    expect((await commandBench().run({ argv: ["ls"], timeout_seconds })).text).toContain("timeout_seconds must be");
  });
});

describe("run_command with keep", () => {
  type Kept = NonNullable<NonNullable<Verdict["command"]>["kept"]>;
  const written = (...paths: string[]): Kept => ({
    files: paths.map((path) => ({ path, base64: btoa(`of ${path}`) })),
  });

  async function keeping(keep: unknown, kept: Kept | undefined, exitCode = 0) {
    const asked: object[] = [];
    const bench = createMemoryBench({
      files: { "main.go": "old" },
      command: async (wanted) => {
        asked.push(wanted);
        const status = exitCode === 0 ? ("passed" as const) : ("failed" as const);
        const command = { status, exitCode, stdout: "done\n", stderr: "", ...(kept ? { kept } : {}) };
        return { ...notRun("not_asked"), command };
      },
    });
    const result = await runCommand.call("1", JSON.stringify({ argv: ["go", "generate"], keep }), bench);
    return { asked, bench, result };
  }

  test("writes what the command wrote, and answers with the findings", async () => {
    const { asked, bench, result } = await keeping(["*.sum", "gen/**"], written("go.sum", "gen/a.json"));
    expect(asked).toEqual([{ argv: ["go", "generate"], keep: ["*.sum", "gen/**"] }]);
    expect([bench.text("go.sum"), bench.text("gen/a.json")]).toEqual(["of go.sum", "of gen/a.json"]);
    expect(result).toMatchObject({
      note: "go generate · exit 0 · kept 2 files",
      facts: { files: 2 },
      about: { kind: "write", paths: ["go.sum", "gen/a.json"] },
    });
    expect(result.text).toContain("Kept go.sum, gen/a.json. Its other changes to files are discarded.");
    expect(result.text).toContain("gen/a.json:1:1 is not JSON");
  });

  test("keeps bytes as they are", async () => {
    const { bench } = await keeping("a.bin", { files: [{ path: "a.bin", base64: "AP+A" }] });
    expect(await bench.files.read("a.bin")).toEqual(Uint8Array.from([0, 255, 128]));
  });

  test.each<[string, Kept | undefined, number, string]>([
    ["a command failed", undefined, 1, "Nothing was kept, because the command did not exit with 0."],
    ["nothing matches", { files: [] }, 0, "Nothing was kept: the command wrote nothing that matches"],
    ["it is too much", { files: [], refused: "it was too much" }, 0, "Nothing was kept: it was too much."],
    ["another file comes back", written("main.go"), 0, "Not kept: main.go was not asked for"],
    ["a path leaves the run", written("../x.sum"), 0, "leaves the run"],
  ])("keeps nothing and says why where %s", async (_, kept, exitCode, words) => {
    const { bench, result } = await keeping(["*.sum", "../*.sum"], kept, exitCode);
    expect(result.text).toContain(words);
    expect(result).toMatchObject({ ok: true, about: { kind: "other" } });
    expect(bench.paths()).toEqual(["main.go"]);
    expect(bench.text("main.go")).toBe("old");
  });

  test("is refused with a glob that is none, and with too many", async () => {
    expect((await keeping(["a\\b"], undefined)).result.text).toContain("`keep`: a glob has / between folders");
    const many = Array.from({ length: 21 }, (__, at) => `${at}.txt`);
    const { asked, result } = await keeping(many, undefined);
    expect(result.text).toContain("run_command was not run");
    expect(asked).toEqual([]);
  });
});
