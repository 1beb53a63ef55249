import { describe, expect, it } from "vitest";
import { endpointOf, isLoopback, isNearby } from "./endpoint.ts";

const at = (baseUrl: string, apiVersion?: string) =>
  endpointOf({ baseUrl, model: "gpt-4o", ...(apiVersion ? { apiVersion } : {}) });

describe("the endpoint of a model server", () => {
  it("is OpenAI's where none is given", () => {
    expect(endpointOf({ model: "gpt-4o" })).toEqual({
      baseUrl: "https://api.openai.com/v1",
      query: {},
      host: "api.openai.com",
      azure: false,
    });
  });

  it.each([
    ["http://localhost:8080/v1/", "http://localhost:8080/v1"],
    ["http://localhost:11434", "http://localhost:11434/v1"],
    ["https://api.groq.com/openai/v1", "https://api.groq.com/openai/v1"],
    [
      "https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1",
      "https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1",
    ],
    ["http://localhost:8080/v1/chat/completions", "http://localhost:8080/v1"],
    ["https://me:secret@llm.example.org/v1", "https://llm.example.org/v1"],
  ])("takes %s as %s", (given, base) => {
    expect(at(given)?.baseUrl).toBe(base);
  });

  it("keeps Azure's api-version as a query, from the URL or given apart", () => {
    const deployment = "https://x.openai.azure.com/openai/deployments/mine";
    expect(at(`${deployment}?api-version=2024-10-21`)).toMatchObject({
      baseUrl: deployment,
      query: { "api-version": "2024-10-21" },
      azure: true,
    });
    expect(at(deployment, "2024-10-21")).toMatchObject({ baseUrl: deployment, query: { "api-version": "2024-10-21" } });
    expect(at("https://x.openai.azure.com/openai/v1")).toMatchObject({ query: {}, azure: true });
  });

  it("completes the bare address of an Azure resource", () => {
    expect(at("https://x.openai.azure.com")?.baseUrl).toBe("https://x.openai.azure.com/openai/v1");
    expect(at("https://x.openai.azure.com", "2024-10-21")?.baseUrl).toBe(
      "https://x.openai.azure.com/openai/deployments/gpt-4o",
    );
  });

  it("is none for what is not an http address", () => {
    for (const wrong of ["localhost:8080/v1", "file:///etc/passwd", "", "not a url"]) expect(at(wrong)).toBeUndefined();
  });
});

describe("where a server is", () => {
  it("tells this computer from others", () => {
    for (const url of ["http://localhost:1/v1", "http://127.0.0.2", "http://[::1]:8080", "http://0.0.0.0:8000/v1"]) {
      expect(isLoopback(url)).toBe(true);
    }
    for (const url of ["http://10.0.0.1", "https://localhost.example.org", "https://127.example.org", "nonsense"]) {
      expect(isLoopback(url)).toBe(false);
    }
  });

  it("tells its own network from the world", () => {
    for (const url of [
      "http://localhost",
      "http://192.168.1.9:8080/v1",
      "http://172.20.0.3",
      "http://gpu-box:8000",
      "http://mac.local",
    ]) {
      expect(isNearby(url)).toBe(true);
    }
    for (const url of ["https://api.openai.com/v1", "http://172.32.0.1", "http://8.8.8.8", ""]) {
      expect(isNearby(url)).toBe(false);
    }
  });
});
