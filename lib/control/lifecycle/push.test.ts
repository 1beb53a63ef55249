/** What becomes of a push that fails: the run that was computed is ended as it is, unless others own it by now. */
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { aRun } from "../../../test/doubles/runs.ts";
import { Fenced } from "../../core/errors.ts";
import { GitError, type GitServers, type Push, type PushRequest } from "../../core/git/servers.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import { createMemoryFiles } from "../../host/memory-files.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import type { World } from "../world.ts";
import { pushRun } from "./push.ts";

const RESULT = { branch: "l2mac/x", commit: "b".repeat(40), steps: 1, kept: ["secret/.env"] };
const run = aRun({ git: { url: "https://example.com/a/b", commit: "a".repeat(40), push: true } });

interface Rig {
  push?: Push;
  outline?: Uint8Array;
  instructions?: () => Promise<[]>;
}

async function rig({ push = async () => RESULT, outline = deflateSync(""), instructions = async () => [] }: Rig) {
  const files = createMemoryFiles();
  await files.put(fileStoreKeys(run.id).outline, outline);
  const said: string[] = [];
  const prepared: PushRequest[] = [];
  const commit = async (before: Run, change: { run: Partial<Run>; events?: EventBody[] }): Promise<Run> => {
    said.push(...(change.events ?? []).map((event) => ("text" in event ? event.text : event.type)));
    return { ...before, ...change.run };
  };
  const git: Pick<GitServers, "prepare"> = {
    async prepare(request) {
      prepared.push(request);
      for await (const _ of request.steps);
      return push;
    },
  };
  const registry = { commit, instructions, requirements: async () => [] };
  const world = { files, git, registry, clock: { now: () => 0, sleep: async () => {} } } as unknown as World;
  return { world, said, prepared };
}

const invocation = (milliseconds = 600_000) => ({
  remainingMs: () => milliseconds,
  signal: new AbortController().signal,
});

describe("a push", () => {
  it("is noted as events, and the run is given no sentence with names of files", async () => {
    const { world, said } = await rig({});
    const pushed = await pushRun(world, run, invocation());
    expect(pushed).toEqual({
      run: expect.objectContaining({ git: expect.objectContaining({ pushed: expect.anything() }) }),
    });
    expect(said.join(" ")).toContain("secret/.env");
  });

  it("is tried again with the commits that were built once", async () => {
    let failures = 2;
    const push: Push = async () => {
      failures -= 1;
      if (failures >= 0) throw new GitError("https://example.com/a/b: it answered 503.", "temporary");
      return RESULT;
    };
    const { world, prepared } = await rig({ push });
    expect((await pushRun(world, run, invocation())).run.git?.pushed).toBeDefined();
    expect([prepared.length, failures]).toEqual([1, -1]);
  });

  it.each([
    [
      "the server refuses it",
      { push: () => Promise.reject(new GitError("refused by a hook", "refused")) },
      "refused by a hook",
    ],
    ["what is stored of its start is damaged", { outline: Buffer.from("no zlib") }, "incorrect header check"],
    ["its records cannot be read", { instructions: () => Promise.reject(new RangeError("too long")) }, "too long"],
  ])("that fails because %s leaves the run as it is, and says why in an event", async (_why, parts, words) => {
    const { world, said } = await rig(parts);
    const pushed = await pushRun(world, run, invocation());
    expect(pushed.run.git).toEqual(run.git);
    expect(pushed.note).toBe("Its commits were not pushed, which can be repeated.");
    expect(said).toEqual([expect.stringContaining(words)]);
  });

  it("is not begun where too little of the invocation is left", async () => {
    let pushes = 0;
    const push: Push = async () => {
      pushes += 1;
      return RESULT;
    };
    const { world, said } = await rig({ push });
    const { note } = await pushRun(world, run, invocation(20_000));
    expect([note === undefined, pushes]).toEqual([false, 0]);
    expect(said).toEqual([expect.stringContaining("Too little time was left")]);
  });

  it("ends quietly where another attempt owns the run", async () => {
    const { world } = await rig({ instructions: () => Promise.reject(new Fenced("Run x moved on.")) });
    await expect(pushRun(world, run, invocation())).rejects.toThrow(Fenced);
  });

  it("stops where the process stops", async () => {
    const over = AbortSignal.abort(new Error("stopped"));
    const { world } = await rig({ push: () => Promise.reject(new GitError("it did not answer in time", "temporary")) });
    await expect(pushRun(world, run, { ...invocation(), signal: over })).rejects.toThrow("stopped");
  });
});
