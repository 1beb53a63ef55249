import { describe, expect, it } from "vitest";
import type { CommandResult } from "../../process/run-command.ts";
import type { Report } from "../../report/read-report.ts";
import { withStartFailure } from "./python-packages.ts";

const result = (stderr = ""): CommandResult => ({
  ...{ status: "exited", exitCode: 4, stdout: "", stderr, truncated: false, milliseconds: 1 },
});
const nothing: Report = { cases: [], running: [], unseen: [], truncated: false };
const missingAfter = (stderr: string) => withStartFailure(nothing, result(stderr), "pytest").cases[0]?.missing;
const missingOf = (message: string) => {
  const report: Report = { ...nothing, cases: [{ name: "test_a", status: "error", message }] };
  return withStartFailure(report, result(), "pytest").cases[0]?.missing;
};

describe("a plugin of pytest that is not there", () => {
  it.each([
    ["error: unrecognized arguments: --cov=src", "pytest-cov"],
    ["error: unrecognized arguments: -n auto", "pytest-xdist"],
    ["ERROR: Missing required plugins: pytest-asyncio, pytest-mock", "pytest-asyncio"],
    ["ImportError: ...\nModuleNotFoundError: No module named 'flask.app'", "flask"],
  ])("is named where pytest does not even start: %s", (stderr, name) => {
    expect(missingAfter(stderr)).toBe(name);
  });

  it.each([
    ["E       fixture 'mocker' not found", "pytest-mock"],
    ["fixture 'requests_mock' not found", "requests-mock"],
    ["async def functions are not natively supported.", "pytest-asyncio"],
    ["fixture 'own_fixture' not found", undefined],
    ["assert 1 == 2", undefined],
  ])("is named where a test wants it: %s", (message, name) => {
    expect(missingOf(message)).toBe(name);
  });
});

describe("a pytest that is older than its Python", () => {
  const messageOf = (message: string) => {
    const report: Report = { ...nothing, cases: [{ name: "test_a.py", status: "error", message }] };
    return withStartFailure(report, result(), "pytest").cases[0]?.message;
  };

  it.each([
    'E   TypeError: required field "lineno" missing from alias',
    "python/_pytest/assertion/rewrite.py:680: in run\nE   AttributeError: module 'ast' has no attribute 'Str'",
  ])("is said to be too old: %s", (message) => {
    expect(messageOf(message)).toBe(
      `The pytest that the project pins is too old for this Python: require a newer one (pytest>=8).\n${message}`,
    );
  });

  it("is not blamed for what the project's own code lacks", () => {
    const own = "test_a.py:1: in <module>\nE   AttributeError: module 'ast' has no attribute 'Str'";
    expect(messageOf(own)).toBe(own);
  });
});
