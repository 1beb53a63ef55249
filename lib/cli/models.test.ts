/** `l2mac models`, through the whole command. */
import { afterAll, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../test/doubles/command.ts";
import { startProgramServer } from "../../test/servers/program-server.ts";

const KEY = "sk-never-shown";
const benches: Bench[] = [];
const bench = (env: Record<string, string> = {}): Bench => {
  const made = aBench(env);
  benches.push(made);
  return made;
};
afterAll(() => {
  for (const each of benches) each.remove();
});

const rowsIn = (stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("models", () => {
  it("lists what is known without any key, and which of it the keys here can use", async () => {
    const without = await bench().run(["models"]);
    expect(without).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/anthropic\/claude-opus-5 +.*6\.25 +0\.5 +25/),
    });
    expect(without.stdout).not.toContain("✔");
    const { code, stdout, stderr } = await bench({ OPENAI_API_KEY: KEY }).run(["models", "GPT-5", "--json"]);
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain(KEY);
    expect(rowsIn(stdout)).toContainEqual({
      ...{ model: "openai/gpt-5", provider: "OpenAI", api: "responses", contextWindow: 272_000, convention: "native" },
      ...{ maxOutputTokens: 128_000, price: { input: 1.25, cachedInput: 0.125, output: 10 }, isReachable: true },
      ...{ from: "built in", source: expect.stringMatching(/^https:/), asOf: expect.stringMatching(/^2026-/) },
    });
  });

  it("marks the one that is taken where none is set", async () => {
    const defaults = async (env: Record<string, string>) =>
      rowsIn((await bench(env).run(["models", "--json"])).stdout).filter(({ isDefault }) => isDefault);
    expect(await defaults({})).toEqual([]);
    const keys = { ANTHROPIC_API_KEY: KEY, GEMINI_API_KEY: KEY };
    expect(await defaults(keys)).toMatchObject([{ model: "anthropic/claude-sonnet-5-5", isReachable: true }]);
    expect(await defaults({ ...keys, L2MAC_MODEL: "anthropic/claude-sonnet-5-5" })).toEqual([]);
    const router = await defaults({ OPENROUTER_API_KEY: KEY });
    expect(router).toMatchObject([
      { model: "openrouter/openai/gpt-5.5", provider: "openrouter.ai", isReachable: true },
    ]);
    const shown = await bench({ GEMINI_API_KEY: KEY }).run(["models", "gemini-3.8"]);
    expect(shown.stdout).toMatch(/^▶ +gemini\/gemini-3\.8-flash /m);
    expect(shown.stderr).toContain("▶: taken where no model is set");
  });

  it("puts the user's file above the row, and says so", async () => {
    const here = bench({ ANTHROPIC_API_KEY: KEY });
    here.configure({ models: { "claude-opus-5": { price: { input: 1, output: 2 } }, mine: { contextWindow: 4_096 } } });
    const rows = rowsIn((await here.run(["models", "--json"])).stdout);
    const row = (name: string) => rows.find(({ model }) => model === name);
    expect(row("anthropic/claude-opus-5")).toMatchObject({
      ...{ from: "your file", isReachable: true, price: { input: 1.25, cachedInput: 0.1, output: 2 } },
      contextWindow: 1_000_000,
    });
    expect(row("mine")).toMatchObject({ from: "your file", contextWindow: 4_096 });
    expect(row("mine")).not.toHaveProperty("price");
  });

  it("lists a model once that the user's file names with its provider", async () => {
    const here = bench();
    here.configure({ models: { "openai/gpt-5": { price: { input: 3, output: 4 } } } });
    const rows = rowsIn((await here.run(["models", "gpt-5", "--json"])).stdout);
    const [row, ...others] = rows.filter(({ model }) => model === "openai/gpt-5");
    expect(others).toEqual([]);
    expect(row).toMatchObject({ from: "your file", price: { input: 3, output: 4 } });
  });

  it("asks the server that is configured, whose answer beats the row", async () => {
    const server = await startProgramServer({ instructions: 1, dialect: "llama.cpp" });
    const { code, stdout } = await bench().run(["models", "--base-url", server.url, "--json"]);
    const [row] = rowsIn(stdout);
    await server.close();
    expect(code).toBe(0);
    expect(row).toMatchObject({ from: "server", contextWindow: 8_192, price: { input: 0, output: 0 }, api: "chat" });
    const gone = await bench().run(["models", "--base-url", server.url, "glm"]);
    expect(gone).toMatchObject({ code: 0, stdout: expect.stringContaining("glm-5.3") });
    expect(gone.stderr).toMatch(/No server answers at 127\.0\.0\.1:\d+ now\./);
  });

  it("says what to do about a model that is not known", async () => {
    const { code, stdout, stderr } = await bench().run(["models", "no-such"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^l2mac: No known model has "no-such" in its name\.\nNext: .*--price/);
  });

  it("refuses a base URL that is none", async () => {
    const { code, stdout, stderr } = await bench().run(["models", "--base-url", "nonsense"]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(/^l2mac: The base URL of the model server is not an http or https address\.\nNext: /);
  });
});
