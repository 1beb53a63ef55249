import { describe, expect, it } from "vitest";
import { createRedact } from "./redact.ts";
import { errorOfSilence, type Server } from "./refusal.ts";

const server: Server = { host: "box:8080", model: "m", hasKey: false, redact: createRedact(undefined) };
const after = (sent: boolean) => errorOfSilence({ silence: "aborted", code: "ABORT_ERR", sent }, server, 90_000);

describe("a call that ran out of time", () => {
  it("is a time-out, perhaps paid, where the server had the request", () => {
    expect(after(true)).toMatchObject({ kind: "timed_out", perhapsPaid: true });
    expect(after(true).message).toContain("box:8080 gave no answer within 90 s");
  });

  it("is an unreachable server, not paid, where no connection was made in all that time", () => {
    expect(after(false)).toMatchObject({ kind: "unreachable", perhapsPaid: false });
  });
});

it.each([
  ["api.openai.com", "Is this computer online, and is the base URL right?"],
  ["127.0.0.1:8080", "Is it running, and is the base URL right?"],
  ["box:8080", "Is it running, and is the base URL right?"],
])("an unreachable %s says what to check", (host, advice) => {
  const silence = { silence: "unreachable", code: "ENOTFOUND", sent: false } as const;
  expect(errorOfSilence(silence, { ...server, host }, 1_000).message).toContain(advice);
});

it("a key that is a word like `none` is not redacted from other words", () => {
  expect(createRedact("none")("none of these models exists")).toBe("none of these models exists");
});
