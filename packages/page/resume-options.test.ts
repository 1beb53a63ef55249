import { describe, expect, it } from "vitest";
import { ResumeBody } from "../../lib/api/resume-body.ts";
import { bodyFieldOf } from "../../lib/core/run/option-forms.ts";
import { aRun } from "../../test/doubles/runs.ts";
import { resumeOptions, valueNow } from "./resume-options.ts";

const namesOf = (run: Parameters<typeof resumeOptions>[0]): string[] => resumeOptions(run).map(({ name }) => name);

describe("what can be changed of a run that goes on", () => {
  it("is all that the API takes, beside the hint, the ceiling that is asked for first, and the examiner's model", () => {
    const others = ["hint", "budget", "examinerModel"];
    const taken = Object.keys(ResumeBody.shape).filter((field) => !others.includes(field));
    const shown = resumeOptions(aRun()).map(({ name }) => bodyFieldOf(name));
    expect(shown.toSorted()).toEqual([...taken, "budget.tokens", "budget.turns", "budget.minutes"].toSorted());
    expect(namesOf(aRun({ reason: "turns" }))).toContain("budget");
    expect(namesOf(aRun({ reason: "turns" }))).not.toContain("maxTurns");
  });

  it("is shown with what holds now", () => {
    const { profile, options } = aRun();
    const now = (name: Parameters<typeof valueNow>[1], over: Parameters<typeof aRun>[0] = {}) =>
      valueNow(aRun(over), name);
    const other = { ...profile, model: "other" };
    expect(now("model", { models: [profile, other] })).toBe("test,other");
    expect(now("model", { models: [profile, { ...other, replaces: true }] })).toBe("other");
    expect([now("effort"), now("stream"), now("onStuck")]).toEqual(["the model's default", "on", "stop"]);
    const changed = {
      options: { ...options, effort: "low", stream: false, onTrap: "skip", budget: { turns: 9 } },
    } as const;
    expect([now("effort", changed), now("stream", changed), now("onStuck", changed)]).toEqual(["low", "off", "skip"]);
    expect([now("maxTurns", changed), now("maxTokens", changed)]).toEqual(["9", "none"]);
    const { price: _, ...unpriced } = profile;
    expect([now("price"), now("price", { profile: unpriced })]).toEqual(["0,0", "unknown"]);
    expect([now("unpriced"), now("unpriced", { profile: unpriced })]).toEqual(["off", "on"]);
    expect(now("contextWindow")).toBe("128000");
  });
});
