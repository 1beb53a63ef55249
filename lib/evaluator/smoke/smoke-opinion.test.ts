import { describe, expect, it } from "vitest";
import type { CommandResult } from "../process/run-command.ts";
import { opinionOf, startMsOf } from "./smoke-opinion.ts";

const ended = (over: Partial<CommandResult>, known = {}) =>
  opinionOf(
    { status: "exited", exitCode: 1, stdout: "", stderr: "", truncated: false, milliseconds: 1, ...over },
    { files: [], missing: [], ...known },
  );

const traceback = (...lines: string[]): string =>
  ["Traceback (most recent call last):", '  File "main.py", line 2, in <module>', ...lines, ""].join("\n");

describe("what the end of a start says", () => {
  it.each(["", "> it@1.0.0 start\n> node slow.js\n", "npm warn Unknown user config", "go: downloading x v1.0.0\n"])(
    "is nothing where only the starter spoke until it was stopped: %j",
    (stdout) => {
      expect(ended({ status: "timed_out", exitCode: null, stdout })).toEqual({
        status: "not_run",
        reason: "it said nothing until it was stopped",
      });
    },
  );

  it("is a start where the program spoke, and starters that have work to do get longer", () => {
    const stdout = "> it@1.0.0 start\n> node it.js\n\nlistening on 3000\n";
    expect(ended({ status: "timed_out", exitCode: null, stdout })).toMatchObject({ status: "passed" });
    expect(["npm", "go", "node", "python", undefined].map(startMsOf)).toEqual([30_000, 30_000, 10_000, 10_000, 10_000]);
  });

  it.each([
    traceback('    raise RuntimeError("usage: unknown")', "RuntimeError: usage: unknown"),
    `usage: it FILE\n${traceback("    main()", "KeyError: 'a'")}`,
    "panic: usage: none\n\ngoroutine 1 [running]:\n",
    "/x/main.js:1\nnull.usage();\n     ^\n\nTypeError: Cannot read properties of null\n    at Object.<anonymous> (main.js:1:6)",
  ])("is a failure if the error is uncaught, whatever its words: %j", (stderr) => {
    expect(ended({ stderr })).toEqual({ status: "failed", detail: "it ended with 1" });
  });

  it.each([
    traceback("    open(sys.argv[1])", "FileNotFoundError: [Errno 2] No such file or directory: '--help'"),
    traceback("    print(sys.argv[2])", "IndexError: list index out of range"),
    traceback("    float(argv[1])", "ValueError: could not convert string to float: '--help'"),
    "node:fs:1\n\nError: ENOENT: no such file or directory, open '--help'\n    at Object.openSync (node:fs:562:18)",
  ])("is about arguments where the error is: %j", (stderr) => {
    expect(ended({ stderr })).toMatchObject({ status: "failed", wantsArguments: true });
  });

  it("is not about arguments where the error is another", () => {
    const stderr = traceback("    rows[0]", "IndexError: list index out of range");
    expect(ended({ stderr })).not.toHaveProperty("wantsArguments");
  });

  it("takes only a line of usage for usage", () => {
    expect(ended({ stderr: "it.py: Usage: it FILE" })).toMatchObject({ status: "passed" });
    expect(ended({ stderr: "the usage: of this is unknown" })).toMatchObject({ status: "not_run" });
  });
});
