/** Large answers, large trees, large findings: what is large lies in the file store, and every item and conversation is bounded. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ITEM_BYTES, PATH_BYTES, PATHS_PER_TURN } from "../../lib/core/limits.ts";
import type { Evaluator, Item, ModelRequest, Table } from "../../lib/core/ports.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { itemBytes } from "../../lib/core/store/transaction-rules.ts";
import type { Storage } from "../../lib/local/machine.ts";
import { aMachine, aSubmission, aVerdict, compute, nothingToCheck, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { lastText, placeOf, programOf, type Said, scriptedModel } from "../doubles/scripted-model.ts";
import { thorough } from "../doubles/thorough.ts";

const { machines } = openedMachines();

/** Far below what a table takes, whatever is put into it. */
const LARGEST_ITEM = ITEM_BYTES / 2;
const MB = 1_000_000;

/** The largest item of all that are put. */
function weighed(): { storage: Storage; largest: () => { bytes: number; sk: string } } {
  const storage = lastingStorage();
  let largest = { bytes: 0, sk: "" };
  const transact: Table["transact"] = async (writes) => {
    const written = await storage.table.transact(writes);
    for (const write of writes) {
      const key = "put" in write ? write.put : "update" in write ? write.update : undefined;
      const item: Item | undefined = key && (await storage.table.get({ pk: key.pk, sk: key.sk }));
      const bytes = item ? itemBytes(item) : 0;
      if (bytes > largest.bytes) largest = { bytes, sk: item?.sk ?? "" };
    }
    return written;
  };
  return { storage: { ...storage, table: { ...storage.table, transact } }, largest: () => largest };
}

const sizeOf = ({ messages }: ModelRequest): number =>
  messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);

interface Played {
  run: Run;
  machine: TestMachine;
  requests: ModelRequest[];
  largest: { bytes: number; sk: string };
}

/** One instruction: these answers in turn, then it is complete. */
async function played(answers: Said[], parts: { evaluator?: Evaluator; profile?: object } = {}): Promise<Played> {
  let asked = 0;
  const model = scriptedModel((request) => {
    if (placeOf(request).planning) return { calls: [["write_program", { instructions: programOf(1) }]] };
    // A new conversation does not repeat it.
    asked += 1;
    return answers[asked - 1] ?? { calls: [["complete_instruction", { summary: "done" }]] };
  });
  const { storage, largest } = weighed();
  const machine = aMachine({ model, storage, evaluator: parts.evaluator ?? nothingToCheck });
  machines.push(machine);
  const run = await compute(machine, await aSubmission({ options: { reflect: 0 }, profile: { ...parts.profile } }));
  return { run, machine, requests: model.requests, largest: largest() };
}

const longPath = (n: number): string => {
  const segment = `${"p".repeat(150)}${String(n).padStart(3, "0")}`;
  return `${segment}/${segment}/${segment}/${"x".repeat(PATH_BYTES - 3 * 154)}`;
};

describe("an answer", () => {
  it("that writes a file of 1 MB is kept byte for byte, outside of the registry", async () => {
    const content = Array.from({ length: MB / 10 }, (_, n) => `line ${String(n % 1000).padStart(4, "0")}`)
      .join("\n")
      .padEnd(MB, "é");
    const { run, machine, largest } = await played([
      { calls: [["write_files", { files: [{ path: "a.txt", content }] }]] },
    ]);
    expect(run).toMatchObject({ status: "completed", files: 1 });
    expect((await machine.registry.file(run.id, "a.txt"))?.bytes).toBe(Buffer.byteLength(content));
    expect(largest.bytes).toBeLessThan(20_000);
  });

  it(`that changes ${PATHS_PER_TURN} paths of ${PATH_BYTES} bytes at once is one turn, and can be taken back`, async () => {
    const files = Array.from({ length: PATHS_PER_TURN }, (_, n) => ({ path: longPath(n), content: `${n}` }));
    const { run, largest } = await played([
      { calls: [["write_files", { files }]] },
      { calls: [["delete_files", { paths: files.map(({ path }) => path) }]] },
      { calls: [["write_files", { files }]] },
    ]);
    expect(Buffer.byteLength(longPath(0))).toBe(PATH_BYTES);
    expect(run).toMatchObject({ status: "completed", files: PATHS_PER_TURN });
    expect(largest.bytes).toBeLessThan(LARGEST_ITEM);
  });

  it("of 5,000 calls, of tools with names of 500 KB, cut or not, is answered and reported in brief", async () => {
    const name = "n".repeat(500_000);
    const many: [string, object][] = Array.from({ length: 5_000 }, (_, n) => ["list_files", { prefix: `${n}` }]);
    const { run, requests, largest } = await played([
      { calls: many },
      { calls: [[name, {}]] },
      { calls: [[name, "{"]], finish: "cut" },
    ]);
    expect(run.status).toBe("completed");
    expect(largest.bytes).toBeLessThan(LARGEST_ITEM);
    expect(requests.length).toBeGreaterThan(4);
  });

  it("that completes with a summary and advice of 2 MB hands over what fits", async () => {
    const { run, machine, largest } = await played([
      { calls: [["complete_instruction", { summary: "s".repeat(2 * MB), next: "é".repeat(2 * MB) }]] },
    ]);
    expect(run.status).toBe("completed");
    expect((await machine.registry.instruction(run.id, 1))?.summary?.length).toBeLessThanOrEqual(8_000);
    expect(largest.bytes).toBeLessThan(LARGEST_ITEM);
  });

  it("whatever its calls are leaves every item small and every call answered", async () => {
    const text = fc.oneof(
      fc.string({ maxLength: 50 }),
      fc.string({ maxLength: 20 }).map((part) => part.repeat(4_000)),
    );
    const call = fc.tuple(
      fc.oneof(fc.constantFrom("write_files", "read_files", "edit_file", "search_files", "list_files"), text),
      fc.oneof(
        text,
        fc.record({ files: fc.array(fc.record({ path: text, content: text }), { maxLength: 12 }) }),
        fc.record({ path: text, edits: fc.array(fc.record({ find: text, replace: text }), { maxLength: 5 }) }),
        fc.record({ pattern: text, prefix: text, glob: text }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 8 }), async (calls) => {
        const { run, largest } = await played([{ calls: calls as [string, object | string][] }]);
        expect(run.status).toBe("completed");
        expect(largest.bytes).toBeLessThan(LARGEST_ITEM);
      }),
      { numRuns: 20 },
    );
  });
});

describe("what tools answer", () => {
  const window = 16_000;
  const narrow = { contextWindow: window, maxOutputTokens: 2_000 };
  /** No token is shorter than this on average in such texts. */
  const mostBytes = window * 5;

  it("of megabytes of findings fits the conversation: the evaluator's errors, cases and output", async () => {
    const long = "word ".repeat(20_000);
    const errors = Array.from({ length: 20_000 }, (_, n) => ({
      path: `src/${n}.ts`,
      line: n,
      message: `wrong ${n} ${long.slice(0, 90)}`,
    }));
    const cases = Array.from({ length: 20_000 }, (_, n) => ({
      name: `case ${n}`,
      status: "failed" as const,
      message: long.slice(0, 100),
    }));
    let asked = 0;
    const evaluator: Evaluator = {
      async evaluate({ command }) {
        asked += 1;
        const bad = asked < 4;
        const verdict = aVerdict({
          syntax: bad ? { status: "failed", errors } : {},
          tests: bad ? { status: "failed", passed: 0, failed: cases.length, cases, output: long.repeat(30) } : {},
        });
        if (!command) return verdict;
        return {
          ...verdict,
          command: { status: "passed", exitCode: 0, stdout: long.repeat(30), stderr: long.repeat(30) },
        };
      },
    };
    const { run, requests, largest } = await played(
      [
        { calls: [["write_files", { files: [{ path: "src/a.ts", content: "const a = 1;\n" }] }]] },
        { calls: [["run_checks", {}]] },
        { calls: [["run_command", { argv: ["node", "src/a.ts"] }]] },
      ],
      { evaluator, profile: narrow },
    );
    expect(run.status).toBe("completed");
    expect(Math.max(...requests.map(sizeOf))).toBeLessThan(mostBytes);
    expect(largest.bytes).toBeLessThan(LARGEST_ITEM);
  });

  it("of megabytes of files fits the conversation: searching and reading", async () => {
    const lines = Array.from({ length: 3_000 }, (_, n) => `needle ${n} ${"hay ".repeat(60)}`).join("\n");
    const files = Array.from({ length: 4 }, (_, n) => ({ path: `f${n}.txt`, content: lines }));
    const { run, requests, machine } = await played(
      [
        { calls: [["write_files", { files }]] },
        { calls: [["search_files", { pattern: "needle" }]] },
        { calls: [["read_files", { files: files.map(({ path }) => path) }]] },
        { calls: [["list_files", {}]] },
      ],
      { profile: narrow },
    );
    expect(run.status).toBe("completed");
    expect(await machine.registry.allFiles(run.id)).toHaveLength(4);
    expect(Math.max(...requests.map(sizeOf))).toBeLessThan(mostBytes);
    const searched = requests.find((request) => lastText(request).includes("needle"));
    expect(
      lastText(searched ?? requests[0] ?? { messages: [], tools: [], maxOutputTokens: 0, timeoutMs: 0 }).length,
    ).toBeLessThan(window);
  });
});

const MANY = thorough(2_000, 10_000);

describe("a program", () => {
  it("of thousands of instructions with long titles, and 60,000 requirements that none of them serves, is reported in brief", async () => {
    const { storage, largest } = weighed();
    const machine = aMachine({ model: scriptedModel(() => ({ calls: [] })), storage });
    machines.push(machine);
    const title = "A title that does not end ".repeat(300);
    const requirements = Array.from({ length: 60_000 }, (_, n) => ({ id: `R${n + 1}`, text: "Something." }));
    const instructions = Array.from({ length: MANY }, (_, n) => ({
      title: `${n} ${title}`,
      text: "x",
      requirements: [],
    }));
    const submission = await aSubmission({ submission: { requirements, program: { instructions, requirements } } });
    const { id } = await machine.submit(submission);
    const { createHandlers } = await import("../../lambdas/handlers.ts");
    const invocation = { remainingMs: () => 800_000, signal: new AbortController().signal };
    expect(await createHandlers(machine.world).plan({ runId: id, epoch: 1 }, invocation)).toEqual({ next: "execute" });
    expect(await machine.registry.run(id)).toMatchObject({ instructions: MANY });
    expect(largest().bytes).toBeLessThan(LARGEST_ITEM);
  });
});
