import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { EvaluationRequest } from "../core/ports.ts";
import { notRun } from "../core/verdict/verdict.ts";
import { packTree } from "../pack/pack.ts";
import { createSandboxEvaluator, type SandboxEvaluatorParts, type TreeRequest } from "./sandbox-evaluator.ts";

const none = { path: [], env: {}, nodeModules: [], readable: [], missing: [] };

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const bytes = (text: string) => new TextEncoder().encode(text);

function newPlace(): string {
  const folder = mkdtempSync(join(tmpdir(), "evaluator-"));
  folders.push(folder);
  return folder;
}

function evaluator(parts: Partial<SandboxEvaluatorParts> = {}) {
  const folder = newPlace();
  const seen: { folder: string; asked: TreeRequest; text: string }[] = [];
  const { evaluate } = createSandboxEvaluator({
    folder,
    now: () => 0,
    evaluateTree: async (tree, asked) => {
      seen.push({ folder: tree, asked, text: readFileSync(join(tree, "a.txt"), "utf8") });
      return notRun("nothing_to_check");
    },
    ...parts,
  });
  return { folder, seen, evaluate };
}

const request = (more: Partial<EvaluationRequest> = {}): EvaluationRequest => ({
  runId: "01RUN",
  base: { key: "one", load: async () => packTree(undefined, [{ path: "a.txt", content: bytes("base") }]) },
  changes: [],
  install: true,
  timeoutMs: 3_000,
  ...more,
});

describe("the evaluator of this computer", () => {
  it("has the tree of the request evaluated, in a folder of the run", async () => {
    const { folder, seen, evaluate } = evaluator();
    await evaluate(request({ syntax: { paths: ["a.txt"] }, changes: [{ path: "a.txt", content: bytes("changed") }] }));
    expect(seen).toEqual([
      {
        folder: join(folder, "01RUN/tree"),
        text: "changed",
        asked: {
          syntax: { paths: ["a.txt"] },
          changed: [{ path: "a.txt", before: bytes("base") }],
          memory: expect.any(Object),
          timeoutMs: 3_000,
        },
      },
    ]);
  });

  it("passes on what is asked of a book's text, with what changed in the files asked about", async () => {
    const { seen, evaluate } = evaluator();
    const changes = ["a.txt", "b.txt"].map((path) => ({ path, content: bytes(path) }));
    await evaluate(request({ changes, prose: { words: { least: 5 } } }));
    await evaluate(request({ changes, prose: { paths: ["b.txt"] } }));
    expect(seen.map(({ asked: { prose, changed = [] } }) => [prose, changed.map(({ path }) => path)])).toEqual([
      [{ words: { least: 5 } }, ["a.txt", "b.txt"]],
      [{ paths: ["b.txt"] }, ["b.txt"]],
    ]);
  });

  it("says of each changed file that is asked about what the base had there, and what is gone", async () => {
    const { seen, evaluate } = evaluator();
    const base = {
      key: "two",
      load: async () =>
        packTree(
          undefined,
          ["a.txt", "b.txt"].map((path) => ({ path, content: bytes(path) })),
        ),
    };
    const changes = [
      { path: "new.txt", content: bytes("new") },
      { path: "b.txt", content: null },
    ];
    await evaluate(request({ base, changes, syntax: {} }));
    await evaluate(request({ base, changes, syntax: { paths: ["a.txt"] } }));
    await evaluate(request({ base, changes, tests: {} }));
    const gone = { path: "b.txt", before: bytes("b.txt") };
    expect(seen.map(({ asked }) => asked.changed)).toEqual([[{ path: "new.txt" }, gone], [gone], undefined]);
  });

  it("keeps runs apart, and each of them from turn to turn", async () => {
    const { seen, evaluate } = evaluator();
    await evaluate(request({ changes: [{ path: "a.txt", content: bytes("first") }] }));
    await evaluate(request({ runId: "01OTHER" }));
    await evaluate(request({ changes: [{ path: "a.txt", content: bytes("first") }] }));
    expect(seen.map(({ text }) => text)).toEqual(["first", "base", "first"]);
  });

  it("evaluates one request of a run after the other, each with its own tree", async () => {
    const { seen, evaluate } = evaluator();
    const texts = ["1", "2", "3"];
    await Promise.all(texts.map((text) => evaluate(request({ changes: [{ path: "a.txt", content: bytes(text) }] }))));
    expect(seen.map(({ text }) => text)).toEqual(texts);
  });

  it("goes on after an evaluation that broke", async () => {
    const { evaluate, seen } = evaluator();
    await expect(
      evaluate(request({ base: { key: "x", load: () => Promise.reject(new Error("gone")) } })),
    ).rejects.toThrow("gone");
    await evaluate(request());
    expect(seen).toHaveLength(1);
  });

  it("installs before tests and commands, and leaves them the rest of the time", async () => {
    let now = 0;
    const installs: { folder: string; timeoutMs: number }[] = [];
    const { seen, evaluate } = evaluator({
      now: () => now,
      install: async (folder, { timeoutMs }) => {
        installs.push({ folder, timeoutMs });
        now += 500;
        return { ...none, readable: ["/env"], missing: ["x: no such package"] };
      },
    });
    await evaluate(request({ tests: {} }));
    expect(installs).toEqual([{ folder: seen[0]?.folder, timeoutMs: 2_000 }]);
    expect(seen[0]?.asked).toEqual({
      tests: {},
      environment: { ...none, readable: ["/env"], missing: ["x: no such package"] },
      memory: expect.any(Object),
      timeoutMs: 2_500,
    });
  });

  it("installs nothing for syntax alone, yet uses what is there", async () => {
    const environment = none;
    const install = vi.fn(async () => environment);
    const { seen, evaluate } = evaluator({ install });
    await evaluate(request({ syntax: {} }));
    expect(install).not.toHaveBeenCalled();
    await evaluate(request({ command: { argv: ["ls"] } }));
    await evaluate(request({ syntax: {} }));
    expect(install).toHaveBeenCalledTimes(1);
    expect(seen.map(({ asked }) => asked.environment)).toEqual([undefined, environment, environment]);
  });

  it("installs nothing where the user does not want it", async () => {
    const install = vi.fn(async () => none);
    const { seen, evaluate } = evaluator({ install });
    await evaluate(request({ tests: {}, install: false }));
    expect(install).not.toHaveBeenCalled();
    expect(seen[0]?.asked.environment).toBeUndefined();
  });

  it("gives no verdict on what was stopped", async () => {
    const controller = new AbortController();
    const { evaluate } = evaluator({
      evaluateTree: async () => {
        controller.abort(new Error("stopped"));
        return notRun("nothing_to_check");
      },
    });
    await expect(evaluate(request(), controller.signal)).rejects.toThrow("stopped");
    await expect(evaluate(request(), controller.signal)).rejects.toThrow("stopped");
  });

  it("lets what is known of a run outlast its requests, and passes on whether it may be kept", async () => {
    const { seen, evaluate } = evaluator();
    await evaluate(request({ syntax: {}, incremental: true }));
    await evaluate(request({ runId: "01OTHER", syntax: {} }));
    await evaluate(request({ syntax: {} }));
    const [first, other, last] = seen.map(({ asked }) => asked);
    expect(first?.memory).toBe(last?.memory);
    expect(first?.memory).not.toBe(other?.memory);
    expect([first?.incremental, other?.incremental]).toEqual([true, undefined]);
    const memory = {};
    const given = evaluator({ memoryOf: () => memory });
    await given.evaluate(request({ syntax: {} }));
    expect(given.seen[0]?.asked.memory).toBe(memory);
  });

  it("takes no path for the id of a run", async () => {
    const { folder, evaluate } = evaluator();
    await expect(evaluate(request({ runId: "../elsewhere" }))).rejects.toThrow("no id of a run");
    expect(existsSync(join(folder, "../elsewhere"))).toBe(false);
  });

  it("ends what is kept ready for a run when it is released, and for no other", async () => {
    const released: object[] = [];
    const memories: object[] = [];
    const { evaluate, release } = createSandboxEvaluator({
      folder: newPlace(),
      now: () => 0,
      evaluateTree: async (_, { memory = {} }) => {
        memories.push(memory);
        return notRun("nothing_to_check");
      },
      release: async (memory) => void released.push(memory),
    });
    for (const runId of ["01RUN", "02RUN"]) await evaluate(request({ runId }));
    await release?.("01RUN");
    await release?.("03RUN");
    expect(released).toEqual([memories[0]]);
    expect(released[0]).toBe(memories[0]);
  });
});
