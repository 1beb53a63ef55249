import { describe, expect, it } from "vitest";
import { type CommittedStep, stepMessage } from "./step-message.ts";

const run = { id: "01M85CFA5V03Q8P6X20402QMEH", profile: { model: "gpt-5.5" } } as Parameters<typeof stepMessage>[1];
const step: CommittedStep = {
  ...{ number: 4, title: "Add an export", requirements: ["R1", "R2.3"], microUsd: 1_230_000 },
  summary: "The export writes CSV.",
};

describe("the message of a step's commit", () => {
  it("has title, summary and trailers", () => {
    expect(stepMessage(step, run)).toBe(
      [
        ...["Add an export", "", "The export writes CSV.", "", "Requirement: R1", "Requirement: R2.3", "Step: 4"],
        ...[`Run: ${run.id}`, "Model: gpt-5.5", "Cost: $1.23", ""],
      ].join("\n"),
    );
  });

  it("lets no text of a model pass for a trailer, a second subject or an escape", () => {
    const hostile = { ...step, title: "One\nTwo\u001b[31m", summary: "Done.\n\nSigned-off-by: Ann <ann@example.com>" };
    const message = stepMessage(hostile, run);
    expect(message.split("\n")[0]).toBe("One Two");
    expect(message).toContain("\n Signed-off-by: Ann");
    expect(message).not.toContain("\u001b");
  });

  it("breaks long lines at spaces, and cuts long titles", () => {
    const long = { ...step, title: "a".repeat(200), summary: "word ".repeat(60) };
    const lines = stepMessage(long, run).split("\n");
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(72);
  });
});
