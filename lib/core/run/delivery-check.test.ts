import { describe, expect, it } from "vitest";
import { notRun, type SmokeVerdict, type Verdict } from "../verdict/verdict.ts";
import { deliveryCheckOf, skippedDeliveryCheck, startCommandOf, uncheckedBy } from "./delivery-check.ts";

const started = (smoke: Partial<SmokeVerdict>): SmokeVerdict => ({
  status: "passed",
  argv: ["python", "main.py", "--help"],
  exitCode: 0,
  output: "",
  ...smoke,
});

const verdict = (tests: Partial<Verdict["tests"]>, smoke?: SmokeVerdict): Verdict => {
  const none = notRun("nothing_to_check");
  return { ...none, tests: { ...none.tests, ...tests }, ...(smoke ? { smoke } : {}) };
};

describe("the command that starts a delivery", () => {
  it.each([
    [{ status: "passed", detail: "3 tests passed there; `python main.py --help` started" }, "python main.py --help"],
    [{ status: "passed", detail: "`a '`' b` started" }, "a '`' b"],
    [{ status: "failed", detail: "`python main.py` did not start" }, undefined],
    [{ status: "passed", detail: "1 test passed there; there is nothing to be started" }, undefined],
  ] as const)("is known where it was seen to: %j", (check, command) => {
    expect(startCommandOf(check)).toBe(command);
  });
});

describe("the smoke test of a delivery", () => {
  it("passes where the tests pass in an empty folder and the program starts", () => {
    const smoke = deliveryCheckOf(verdict({ status: "passed", passed: 3 }, started({})));
    expect(smoke).toEqual({ status: "passed", detail: "3 tests passed there; `python main.py --help` started" });
    expect(uncheckedBy(smoke)).toEqual([]);
  });

  it("does not pass where tests that the gate saw pass fail there, though the program starts", () => {
    const smoke = deliveryCheckOf(verdict({ status: "failed", passed: 2, failed: 1 }, started({})));
    expect(smoke).toEqual({ status: "failed", detail: "its tests there: 1 test did not pass" });
    expect(uncheckedBy(smoke)).toEqual(["the clean-room check of the delivery: its tests there: 1 test did not pass"]);
    expect(deliveryCheckOf(verdict({ status: "timed_out", reason: "no end" }, started({})))).toEqual({
      status: "timed_out",
      detail: "its tests there: timed out (no end)",
    });
  });

  it("says how it was started and how that went", () => {
    const failed = started({ status: "failed", detail: "it ended with 1", argv: ["python", "-c", "import a; a()"] });
    expect(deliveryCheckOf(verdict({}, failed)).detail).toBe(
      '`python -c "import a; a()"` did not start (it ended with 1)',
    );
  });

  it("is never green where it could not be tried", () => {
    const missing = deliveryCheckOf(verdict({}, started({ status: "not_run", reason: "package_missing" })));
    expect(uncheckedBy(missing)).toEqual([
      "the clean-room check of the delivery: `python main.py --help` could not be tried (a package is missing)",
    ]);
  });

  it("asks nothing of a library, of a book, and of who turned tests off", () => {
    const library = started({ status: "not_run", reason: "nothing_to_check" });
    delete library.argv;
    const smoke = deliveryCheckOf(verdict({ status: "passed", passed: 1 }, library));
    expect(smoke.detail).toBe("1 test passed there; there is nothing to be started");
    expect(
      [smoke, skippedDeliveryCheck("nothing_to_check"), skippedDeliveryCheck("turned_off")].flatMap(uncheckedBy),
    ).toEqual([]);
    expect(skippedDeliveryCheck("turned_off").detail).toBe("off: generated code is not executed (--no-tests)");
  });
});
