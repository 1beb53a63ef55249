import { expect, it } from "vitest";
import { createVirtualClock } from "../../test/virtual-clock.ts";
import { type Build, buildImage } from "./build-image.ts";
import { answerBody, type ResourceRequest } from "./custom-resource.ts";

const asked: ResourceRequest = {
  ...{ RequestType: "Create", ResponseURL: "https://answer", StackId: "stack", RequestId: "1" },
  ...{ LogicalResourceId: "Image", ResourceProperties: { project: "p", image: "arm64-1" } },
};

/** With builds that are seen so, the last one over and over. */
function rig(...seen: Build[]) {
  const clock = createVirtualClock();
  let looks = 0;
  const builds = {
    start: async (project: string) => `${project}:1`,
    find: async () => seen[Math.min(looks++, seen.length - 1)] as Build,
  };
  return { clock, looks: () => looks, parts: { builds, clock, remainingMs: () => 900_000 - clock.now() } };
}

const running: Build = { state: "running", log: "https://log" };

it("waits for the build, looking every five seconds", async () => {
  const { parts, clock, looks } = rig(running, running, { state: "succeeded" });
  expect(await buildImage(asked, parts)).toEqual({});
  expect([clock.now(), looks()]).toEqual([10_000, 3]);
});

it("answers before its own time is over, with the log of a build that still runs", async () => {
  const { parts, clock } = rig(running);
  expect(await buildImage(asked, parts)).toEqual({
    problem: "The build of the evaluator's image takes too long. Its log: https://log",
  });
  expect(clock.now()).toBeLessThanOrEqual(870_000);
});

it("says what CodeBuild says", async () => {
  const { parts } = rig({ state: "failed", phase: "QUEUED", message: "Build timed out." });
  expect(await buildImage(asked, parts)).toEqual({
    problem: "The build of the evaluator's image failed in the phase QUEUED: Build timed out.",
  });
  expect(await buildImage(asked, rig({ state: "failed" }).parts)).toEqual({
    problem: "The build of the evaluator's image failed.",
  });
});

it("builds nothing for a deletion", async () => {
  const { parts, looks } = rig(running);
  expect(await buildImage({ ...asked, RequestType: "Delete" }, parts)).toEqual({});
  expect(looks()).toBe(0);
});

it("answers in what CloudFormation takes, however much went wrong", () => {
  const body = answerBody(asked, { problem: "x".repeat(100_000) });
  expect(Buffer.byteLength(body)).toBeLessThan(4_096);
  expect(JSON.parse(body)).toMatchObject({ Status: "FAILED", PhysicalResourceId: "Image", RequestId: "1" });
});
