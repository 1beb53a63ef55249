import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { configJsonSchema, readConfig } from "./config.ts";
import { homeOf, readSettings, settingNotices } from "./settings.ts";

let cwd: string;
let env: Record<string, string>;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "l2mac-settings-"));
  env = { XDG_CONFIG_HOME: join(cwd, "user") };
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const userFile = (config: object): void => {
  mkdirSync(join(cwd, "user/l2mac"), { recursive: true });
  writeFileSync(join(cwd, "user/l2mac/config.json"), JSON.stringify(config));
};
const projectFile = (config: object): void => writeFileSync(join(cwd, "l2mac.config.json"), JSON.stringify(config));
const settings = (flags: Record<string, string> = {}) =>
  readSettings({ cwd, env, flags: new Map(Object.entries(flags)) });

describe("settings", () => {
  it("come from flags before the environment before the project's file before the user's", () => {
    userFile({ model: "user", steps: 1, reflect: 1, budget: 1 });
    projectFile({ model: "project", steps: 2, reflect: 2 });
    env.L2MAC_MODEL = "environment";
    env.L2MAC_STEPS = "3";
    expect(settings({ "--model": "flag" })).toMatchObject({ model: "flag", steps: 3, reflect: 2, budget: 1 });
  });

  it("read every flag that has a variable from it, empty ones aside", () => {
    Object.assign(env, {
      OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
      OPENAI_API_BASE: "http://127.0.0.1:2/v1",
      OPENAI_API_VERSION: "2024-10-21",
      L2MAC_CONTEXT_WINDOW: "8192",
      L2MAC_PRICE: "0.25, 2",
      L2MAC_MAX_MINUTES: "1.5",
      L2MAC_TOOLS: "read_files,write_files",
      L2MAC_NO_TESTS: "1",
      L2MAC_NO_INSTALL: "0",
      L2MAC_BUDGET: "",
    });
    expect(settings()).toEqual({
      models: {},
      baseUrl: "http://127.0.0.1:1/v1",
      apiVersion: "2024-10-21",
      contextWindow: 8192,
      price: { input: 0.25, output: 2 },
      maxMinutes: 1.5,
      tools: ["read_files", "write_files"],
      tests: false,
      install: true,
    });
  });

  it("look for a prompt pack beside the file that names it", () => {
    userFile({ prompts: "pack" });
    expect(settings().prompts).toBe(join(cwd, "user/l2mac/pack"));
    expect(settings({ "--prompts": "mine" }).prompts).toBe(join(cwd, "mine"));
  });

  it("add the models of both files to what is known, the project's over the user's", () => {
    userFile({ models: { a: { contextWindow: 1_000 }, b: { contextWindow: 2_000 } } });
    projectFile({ models: { a: { contextWindow: 3_000 } } });
    expect(settings().models).toEqual({ a: { contextWindow: 3_000 }, b: { contextWindow: 2_000 } });
  });

  it.each([
    [{ bugdet: 3 }, /l2mac\.config\.json: it has no field bugdet.*Did you mean budget/],
    [{ apiKey: "sk-1" }, /no field apiKey; keys do not belong into files/],
    [{ budget: "3" }, /budget: .*expected number/],
    [{ tools: ["write_file"] }, /tools\.0: .*expected one of .*write_files/],
    [{ models: { a: { window: 3 } } }, /models\.a has no field window/],
  ])("are refused with the file's name where %j stands in it", (config, message) => {
    projectFile(config);
    expect(() => settings()).toThrow(message);
  });

  it.each([
    ["--model", "m".repeat(1_001), "--model takes at most 1000 characters"],
    ["--model", "a,,b", "--model takes the name of a model, or up to 5 different ones"],
    ["--steps", "0", "--steps takes a whole number from 1 to 10000"],
    ["--max-tokens", "many", "--max-tokens takes a whole number from 1 on"],
    ["--seed", "1.5", "--seed takes a whole number, not"],
    ["--budget", "0", "--budget takes a number above 0"],
    ["--price", "1,2,3", "--price takes two numbers, such as 0.25,2 (input and output)"],
    ["--tools", "read_files,none", "--tools takes names with commas between them, of list_files, "],
    ["--no-tests", "maybe", "--no-tests takes 1 or 0"],
  ])("refuse %s %s by the type of its option", (flag, text, message) => {
    expect(() => settings({ [flag]: text })).toThrow(message);
  });

  it("say which variables look like settings and are none", () => {
    const stray = { L2MAC_BUGET: "3", L2MAC_HOME: "x", L2MAC_DEBUG: "1", HOME: "y" };
    expect(settingNotices({ cwd, env: { ...env, ...stray } })).toEqual([
      "L2MAC_BUGET is set, and is no setting of l2mac; did you mean L2MAC_BUDGET?",
    ]);
  });

  it("are read under their old names, with a notice", () => {
    projectFile({ onTrap: "skip" });
    expect(settings()).toMatchObject({ onStuck: "skip" });
    expect(settingNotices({ cwd, env })).toEqual([`${join(cwd, "l2mac.config.json")}: onTrap is now called onStuck.`]);
    projectFile({});
    env.L2MAC_ON_TRAP = "skip";
    expect(settings()).toMatchObject({ onStuck: "skip" });
    expect(settingNotices({ cwd, env })).toEqual(["The variable L2MAC_ON_TRAP is now called L2MAC_ON_STUCK."]);
    env.L2MAC_ON_STUCK = "stop";
    expect(settings()).toMatchObject({ onStuck: "stop" });
  });

  it("keep runs in L2MAC_HOME, else in the working directory", () => {
    expect([homeOf({ cwd, env }), homeOf({ cwd, env: { L2MAC_HOME: "/runs" } })]).toEqual([
      join(cwd, ".l2mac"),
      "/runs",
    ]);
  });
});

describe("the configuration file", () => {
  it("may name its schema, and nothing that is no JSON", () => {
    expect(readConfig('{"$schema": "x", "domain": "book"}')).toEqual({ config: { $schema: "x", domain: "book" } });
    expect(readConfig("{")).toEqual({ problems: [expect.stringContaining("it is not JSON")] });
  });

  it("has a published schema that is up to date (vitest -u writes it)", async () => {
    const text = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot("../../../docs/l2mac.config.schema.json");
  });
});
