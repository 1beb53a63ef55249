import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { optionList } from "../../core/run/option-list.ts";
import { configJsonSchema, readConfig } from "./config.ts";
import { homeOf, readSettings, settingNotices, settingsOfNewRun, trustProject } from "./settings.ts";

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
    userFile({ domain: "custom", steps: 4, reflect: 1, budget: 1 });
    projectFile({ domain: "book", steps: 2, reflect: 2 });
    env.L2MAC_DOMAIN = "codebase";
    env.L2MAC_STEPS = "3";
    expect(settings({ "--domain": "custom" })).toMatchObject({ domain: "custom", steps: 3, reflect: 2, budget: 1 });
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
    trustProject({ cwd, env });
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
    ["--ask-above", "-1", "--ask-above takes a number from 0 on, such as 2.50, not"],
    ["--check-minutes", "15", "--check-minutes takes a number from 1 to 12, not"],
    ["--check-minutes", "0.5", "--check-minutes takes a number from 1 to 12, not"],
    ["--price", "1,2,3", "--price takes two numbers, such as 0.25,2 (input and output)"],
    ["--tools", "read_files,none", "--tools takes names with commas between them, of list_files, "],
    ["--no-tests", "maybe", "--no-tests takes 1 or 0"],
  ])("refuse %s %s by the type of its option", (flag, text, message) => {
    expect(() => settings({ [flag]: text })).toThrow(message);
  });

  it("speak of characters only where a text is too long", () => {
    const numeric = optionList.filter(({ flag, type }) => flag && type instanceof z.ZodNumber);
    expect(numeric.length).toBeGreaterThan(5);
    for (const { flag = "" } of numeric)
      for (const text of ["-7", "0.5", "1e300", "9".repeat(30), "x"])
        try {
          settings({ [flag]: text });
        } catch (error) {
          expect(String(error)).toMatch(/ takes a (?:whole )?number(?: from \S+ (?:to \S+|on)| above 0|, not)/);
        }
    expect(settings({ "--ask-above": "0" }).askAbove).toBe(0);
  });

  it("say which variables look like settings and are none", () => {
    const stray = { L2MAC_BUGET: "3", L2MAC_HOME: "x", L2MAC_DEBUG: "1", HOME: "y" };
    expect(settingNotices({ cwd, env: { ...env, ...stray } })).toEqual([
      "L2MAC_BUGET is set, and is no setting of l2mac; did you mean L2MAC_BUDGET?",
    ]);
  });

  it("are read under their old names, or without effect where they were removed, with a notice", () => {
    projectFile({ onTrap: "skip" });
    expect(settings()).toMatchObject({ onStuck: "skip" });
    expect(settingNotices({ cwd, env })).toEqual([`${join(cwd, "l2mac.config.json")}: onTrap is now called onStuck.`]);
    projectFile({ memo: false });
    expect(settingsOfNewRun({ cwd, env, flags: new Map() })).not.toHaveProperty("memo");
    expect(settingNotices({ cwd, env })).toEqual([
      `${join(cwd, "l2mac.config.json")}: memo has no effect: each call of a program is executed.`,
    ]);
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

describe("the file of a project", () => {
  const refused = (flags: Record<string, string> = {}) =>
    settingsOfNewRun({ cwd, env, flags: new Map(Object.entries(flags)) });

  /** By hand: an option that is added is not in it, and asks for trust, until somebody has thought about it. */
  it("may set these options by itself, and no other", () => {
    const marked = (mark: string | undefined) =>
      optionList.filter(({ inProject }) => inProject === mark).map(({ name }) => name);
    expect(marked("anything")).toEqual(["domain", "reflect", "checkMinutes", "onStuck", "approve", "seed"]);
    expect(marked("less")).toEqual([
      ...["steps", "parallel", "tools", "tests", "install", "askAbove"],
      ...["budget", "maxTokens", "maxTurns", "maxMinutes", "dailyUsd"],
    ]);
    expect(marked(undefined)).toEqual([
      ...[
        "evidence",
        "effort",
        "stream",
        "model",
        "examinerModel",
        "contextWindow",
        "price",
        "unpriced",
        "baseUrl",
        "apiVersion",
      ],
      ...["apiUrl", "prompts", "workspace", "allowSecrets", "unsealed", "otel"],
    ]);
  });

  it.each([
    [{ baseUrl: "http://127.0.0.1:1/v1" }, "baseUrl http://127.0.0.1:1/v1"],
    [{ model: "gpt-5" }, "model gpt-5"],
    [{ model: "bedrock/us.anthropic.claude-opus-5" }, "model bedrock/us.anthropic.claude-opus-5"],
    [{ prompts: "pack" }, "prompts "],
    [{ unsealed: true }, "unsealed true"],
    [{ apiUrl: "https://api.example.org" }, "apiUrl https://api.example.org"],
    [{ models: { "gpt-5": { price: { input: 0, output: 0 } } } }, "models "],
    [
      { webhook: { url: "https://hooks.example.org/", secret: "sixteen-or-more-1" } },
      "webhook https://hooks.example.org/",
    ],
    [{ budget: 50 }, "budget 50"],
  ])("asks for trust with %j, and it does not count before", (asked, words) => {
    projectFile({ ...asked, domain: "book" });
    expect(settings()).toEqual({ domain: "book", models: {} });
    expect(() => refused()).toThrow(words);
    trustProject({ cwd, env });
    expect(Object.keys(refused())).toEqual(expect.arrayContaining(Object.keys(asked)));
    projectFile({ ...asked, domain: "codebase" });
    expect(() => refused()).toThrow(words);
  });

  it("may lower what the user allows, and not raise it", () => {
    userFile({ budget: 2, tests: false, dailyUsd: 10, tools: ["read_files", "write_files"] });
    projectFile({ budget: 1, maxTurns: 7, dailyUsd: 3, install: false, tools: ["read_files"] });
    expect(refused()).toMatchObject({ budget: 1, maxTurns: 7, dailyUsd: 3, install: false, tools: ["read_files"] });
    projectFile({ budget: 3, dailyUsd: 11, tests: true, tools: ["read_files", "run_command"] });
    expect(settings()).toMatchObject({ budget: 2, dailyUsd: 10, tests: false, tools: ["read_files", "write_files"] });
    expect(() => refused()).toThrow(/tools \["read_files","run_command"\], tests true, budget 3, dailyUsd 11/);
  });

  it("asks for nothing that a flag or a variable says too", () => {
    projectFile({ model: "theirs", baseUrl: "http://127.0.0.1:1/v1" });
    env.OPENAI_BASE_URL = "http://127.0.0.1:2/v1";
    expect(refused({ "--model": "mine" })).toMatchObject({ model: "mine", baseUrl: "http://127.0.0.1:2/v1" });
  });

  it("is trusted with the prompts that it names, at its place, and by the user alone", () => {
    mkdirSync(join(cwd, "pack"));
    writeFileSync(join(cwd, "pack/pack.json"), "{}");
    projectFile({ prompts: "pack" });
    trustProject({ cwd, env });
    expect(refused().prompts).toBe(join(cwd, "pack"));
    expect(statSync(join(cwd, "user/l2mac/trusted.json")).mode & 0o777).toBe(0o600);
    writeFileSync(join(cwd, "pack/pack.json"), '{ "changed": true }');
    expect(() => refused()).toThrow("prompts ");
    trustProject({ cwd, env });
    const other = mkdtempSync(join(tmpdir(), "l2mac-settings-"));
    cpSync(cwd, other, { recursive: true });
    expect(() => settingsOfNewRun({ cwd: other, env, flags: new Map() })).toThrow("prompts ");
    chmodSync(join(cwd, "user/l2mac/trusted.json"), 0o666);
    expect(() => refused()).toThrow("prompts ");
    rmSync(other, { recursive: true });
  });

  it("is no link to a device, and the user's folder is no folder of the project", () => {
    symlinkSync("/dev/zero", join(cwd, "l2mac.config.json"));
    expect(() => settings()).toThrow("it is no file of at most 1 MiB");
    rmSync(join(cwd, "l2mac.config.json"));
    mkdirSync(join(cwd, "config/l2mac"), { recursive: true });
    writeFileSync(join(cwd, "config/l2mac/config.json"), '{ "baseUrl": "http://127.0.0.1:1/v1" }');
    expect(readSettings({ cwd, env: { XDG_CONFIG_HOME: "config", HOME: cwd }, flags: new Map() })).toEqual({
      models: {},
    });
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
