import { describe, expect, it } from "vitest";
import { type Attempt, installAvailable } from "./install-available.ts";

const wanted = new Map([
  ["flask", "flask==99"],
  ["express", "^4"],
]);

/** Answers in turn, and notes what was asked for each time. */
function installer(...answers: Attempt[]) {
  const request: string[][] = [];
  const attempt = async (left: Map<string, string>): Promise<Attempt> => {
    request.push([...left.keys()]);
    return answers[request.length - 1] ?? { had: true };
  };
  return { request, attempt };
}

describe("obtaining packages", () => {
  it("asks once where all can be had", async () => {
    const { request, attempt } = installer({ had: true });
    expect(await installAvailable(wanted, attempt)).toEqual({ missing: [], settled: true });
    expect(request).toEqual([["flask", "express"]]);
  });

  it("asks for nothing where nothing is wanted", async () => {
    const { request, attempt } = installer();
    expect(await installAvailable(new Map(), attempt)).toEqual({ missing: [], settled: true });
    expect(request).toEqual([]);
  });

  it("leaves out what cannot be had and asks again for the rest", async () => {
    const { request, attempt } = installer({ impossible: [{ name: "flask", why: "no such version" }] });
    expect(await installAvailable(wanted, attempt)).toEqual({ missing: ["flask==99: no such version"], settled: true });
    expect(request).toEqual([["flask", "express"], ["express"]]);
  });

  it("names everything when it cannot go on, and says that another time may do better", async () => {
    const { attempt } = installer({ brokeOff: "no network" });
    expect(await installAvailable(wanted, attempt)).toEqual({
      missing: ["flask==99: no network", "express@^4: no network"],
      settled: false,
    });
  });

  it("ends if the installer blames a package that was not requested", async () => {
    const { request, attempt } = installer({ impossible: [{ name: "deep-inside", why: "no such package" }] });
    expect((await installAvailable(wanted, attempt)).missing).toHaveLength(2);
    expect(request).toHaveLength(1);
  });
});
