import { describe, expect, it } from "vitest";
import {
  evaluationMsOf,
  fromBody,
  type GivenOptions,
  RunOptions,
  toBody,
  toStored,
  withCurrentNames,
} from "./option-forms.ts";
import { optionList } from "./option-list.ts";
import { allOptions } from "./options.ts";

describe("the options table", () => {
  it("describes every option in one line, and gives each its own flag and variables", () => {
    expect(optionList.map(({ name }) => name)).toEqual(Object.keys(allOptions));
    const unique = (values: string[]) => expect(new Set(values).size, values.join(" ")).toBe(values.length);
    unique(optionList.map(({ description }) => description));
    unique(optionList.flatMap(({ flag, formerFlag }) => [flag, formerFlag].filter((each) => each !== undefined)));
    unique(optionList.flatMap(({ variables, formerVariables }) => [...variables, ...formerVariables]));
    for (const { description } of optionList) expect(description).toMatch(/^[A-Z].{5,80}[^.]$/);
  });

  it("names the variable of a flag after it", () => {
    const option = optionList.find(({ name }) => name === "onStuck");
    expect(option).toMatchObject({ variables: ["L2MAC_ON_STUCK"], formerVariables: ["L2MAC_ON_TRAP"] });
  });
});

describe("options", () => {
  const given: GivenOptions = {
    ...{ domain: "book", steps: 3, tests: false, onStuck: "skip", budget: 2, maxTurns: 9, model: "m" },
    ...{ baseUrl: "http://127.0.0.1:1", unsealed: true, dailyUsd: 7, prompts: "pack" },
  };

  it("are sent without what concerns this computer only, and read back", () => {
    const body = toBody(given);
    expect(body).toEqual({
      ...{ domain: "book", steps: 3, runTests: false, onStuck: "skip", model: "m" },
      budget: { usd: 2, turns: 9 },
    });
    const { baseUrl: _baseUrl, unsealed: _unsealed, dailyUsd: _dailyUsd, prompts: _prompts, ...sent } = given;
    expect(fromBody(body)).toEqual(sent);
    expect(toBody({})).toEqual({});
  });

  it("are stored with the defaults of those that are not set, under the names of earlier versions", () => {
    const { budget: _budget, ...stored } = { ...toStored(given), budget: {} };
    expect(stored).toEqual({
      ...{ domain: "book", steps: 3, reflect: 1, runTests: false, install: true, onTrap: "skip" },
      ...{ baseUrl: "http://127.0.0.1:1", evidence: "own" },
    });
    expect(toStored({ ...given, evidence: "off" })).not.toHaveProperty("evidence");
    expect(toStored({})).toMatchObject({ domain: "codebase", runTests: true });
    expect(toStored({})).not.toHaveProperty("onTrap");
  });

  it("say how long a check may take, stored where it is not the default", () => {
    const early = { domain: "codebase" as const, reflect: 1, runTests: true, install: true, budget: {} };
    const stored = (given: GivenOptions) => RunOptions.parse({ ...early, ...toStored(given) });
    expect(stored({ checkMinutes: 10 })).toMatchObject({ checkMinutes: 10 });
    expect(stored({ checkMinutes: 3 })).toEqual(stored({}));
    expect([{ checkMinutes: 10 }, { checkMinutes: 3 }, {}].map((given) => evaluationMsOf(stored(given)))).toEqual([
      600_000, 180_000, 180_000,
    ]);
    expect(fromBody(toBody({ checkMinutes: 12 }))).toEqual({ checkMinutes: 12 });
    expect(() => fromBody({ checkMinutes: 13 })).toThrow("12");
  });

  it("are read as an earlier version stored them", () => {
    const early = { domain: "codebase", reflect: 1, runTests: true, install: true, budget: {} };
    expect(RunOptions.parse(early)).toEqual(early);
    expect(RunOptions.parse({ ...early, tools: ["a_tool_of_later"] }).tools).toEqual(["a_tool_of_later"]);
  });

  it("are accepted under their old names, unless the current one is set too", () => {
    expect(withCurrentNames({ onTrap: "skip" })).toEqual({ onStuck: "skip" });
    expect(withCurrentNames({ onTrap: "skip", onStuck: "stop" })).toEqual({ onStuck: "stop" });
    expect(fromBody({ onTrap: "skip" } as object)).toEqual({ onStuck: "skip" });
  });
});
