import { describe, expect, it } from "vitest";
import { aRun } from "../../test/doubles/runs.ts";
import { Unreadable } from "../core/errors.ts";
import type { Run } from "../core/run/run.ts";
import type { RouteCall } from "./route.ts";
import { ownRun } from "./run-view.ts";

const ID = "01M7Z1RMSGY01SPAVCS1MK33SH";

/** RouteCall for by `me`. */
const asking = (run: () => Promise<Run | undefined>): RouteCall =>
  ({ context: { caller: "me" }, params: { id: ID }, parts: { registry: { run } } }) as unknown as RouteCall;

describe("a requested run", () => {
  it("exists for its owner only", async () => {
    expect(await ownRun(asking(async () => aRun({ id: ID, owner: "me" })))).toMatchObject({ id: ID });
    await expect(ownRun(asking(async () => aRun({ id: ID, owner: "you" })))).rejects.toMatchObject({ status: 404 });
    await expect(ownRun(asking(async () => undefined))).rejects.toMatchObject({ status: 404 });
  });

  it("is said to be unreadable to its owner alone: for others it is not there", async () => {
    const unreadable = (owner: string) => asking(() => Promise.reject(new Unreadable("of format 2", { owner })));
    await expect(ownRun(unreadable("me"))).rejects.toBeInstanceOf(Unreadable);
    await expect(ownRun(unreadable("you"))).rejects.toMatchObject({ status: 404 });
  });
});
