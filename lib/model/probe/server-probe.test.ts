import { expect, it } from "vitest";
import { isListed, type ServerProbe } from "./server-probe.ts";

it("finds a model in the list of its server, on Ollama without its tag too", () => {
  const ollama: ServerProbe = { kind: "ollama", models: ["tinytools:latest", "qwen3:4b"] };
  expect(["tinytools", "tinytools:latest", "qwen3:4b"].map((name) => isListed(ollama, name))).toEqual([
    true,
    true,
    true,
  ]);
  expect(["qwen3", "tiny"].map((name) => isListed(ollama, name))).toEqual([false, false]);
  expect(isListed({ ...ollama, kind: "vllm" }, "tinytools")).toBe(false);
  expect(isListed({ kind: "openai-like" }, "anything")).toBe(true);
});
