import { expect, it } from "vitest";
import { commandLine, quoted, remedyText } from "./command-line.ts";

it("a command line can be pasted into a shell, however the program was started", () => {
  expect(commandLine({ command: "resume", args: ["38KYQ3", "--budget", "10"] }, "l2mac")).toBe(
    "l2mac resume 38KYQ3 --budget 10",
  );
  expect(commandLine({ command: "get", args: ["X", "--out", "it's here"] }, "npx l2mac")).toBe(
    "npx l2mac get X --out 'it'\\''s here'",
  );
  expect([quoted("a/b-c.md"), quoted("<task>"), quoted("a<b")]).toEqual(["a/b-c.md", '"<task>"', "'a<b'"]);
});

it("a remedy is a command with its note behind it, or plain words", () => {
  expect(remedyText({ command: "get", args: ["X"], note: "when it has ended" }, "l2mac")).toBe(
    "l2mac get X   (when it has ended)",
  );
  expect(remedyText("Deploy the stack again.", "l2mac")).toBe("Deploy the stack again.");
});
