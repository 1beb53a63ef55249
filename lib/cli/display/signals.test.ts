import { describe, expect, it } from "vitest";
import { createPressCount, exitCodeOfSignal } from "./signals.ts";

describe("presses of Ctrl-C", () => {
  it("are counted once where a terminal sends them to launcher and command alike, in whatever order", () => {
    const press = createPressCount();
    expect([press("own"), press("forwarded")]).toEqual([1, undefined]);
    expect([press("forwarded"), press("own")]).toEqual([2, undefined]);
  });

  it("are counted where only one of the two gets them", () => {
    const launcher = createPressCount();
    expect([launcher("forwarded"), launcher("forwarded")]).toEqual([1, 2]);
    const command = createPressCount();
    expect([command("own"), command("own")]).toEqual([1, 2]);
  });
});

describe("a signal's exit code", () => {
  it("is the one that shells know", () => {
    expect([exitCodeOfSignal("SIGINT"), exitCodeOfSignal("SIGTERM"), exitCodeOfSignal("SIGHUP")]).toEqual([
      130, 143, 129,
    ]);
  });
});
