import { describe, expect, it } from "vitest";
import { aRun } from "../../../test/doubles/runs.ts";
import { announced } from "./announced.ts";
import type { Computer } from "./connection.ts";

const env = { HOME: "/nowhere", OPENAI_API_KEY: "sk-never-shown" };
const computer = (elsewhere = false) => ({ elsewhere, places: () => ["home .l2mac"] }) as unknown as Computer;
const asked = (model: string, api?: "responses") => {
  const run = aRun();
  return { ...run, profile: { ...run.profile, model, ...(api ? { api } : {}) } };
};
const chosen = asked("openai/gpt-5.5", "responses");

describe("the line with which a run begins", () => {
  it("says which model was chosen, why, and what changes it", async () => {
    const line = await announced(computer(), chosen, { settings: {}, env });
    expect(line).toContain(
      "· model openai/gpt-5.5 at api.openai.com, because OPENAI_API_KEY is set; --model changes it ·",
    );
    expect(line).not.toContain("sk-");
  });

  it("says in which protocol it is asked, and how it calls tools", async () => {
    expect(await announced(computer(), chosen, { settings: {}, env })).toContain(
      " · Responses API, native calls · window ",
    );
    const json = { ...asked("m"), profile: { ...aRun().profile, model: "m", convention: "json" as const } };
    expect(await announced(computer(), json, { settings: {}, env })).toContain(
      " · Chat Completions, calls as JSON text · ",
    );
  });

  it.each([
    ["was named", announced(computer(), chosen, { settings: { model: "openai/gpt-5.5" }, env })],
    ["is that of a stack", announced(computer(true), chosen, { settings: {}, env })],
    ["is that of a run which goes on", announced(computer(), chosen, { settings: {} })],
    ["is another", announced(computer(), asked("gpt-4.1"), { settings: {}, env })],
  ])("gives no reason where the model %s", async (_, line) => {
    expect(await line).toMatch(/model (openai\/gpt-5\.5|gpt-4\.1) at api\.openai\.com ·/);
  });
});
