import { describe, expect, test } from "vitest";
import { createMemoryBench } from "../../test/servers/memory-bench.ts";
import { notRun } from "../core/verdict/verdict.ts";
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
