import { describe, expect, it } from "vitest";
import { EventBody } from "../../lib/core/run/event.ts";
import { EXIT_CODES } from "../../lib/core/run/exit-codes.ts";
import { RunReason } from "../../lib/core/run/run.ts";
import { referencePages } from "./reference.ts";

describe("the reference in docs/", () => {
  it.each(Object.entries(referencePages()))("%s is up to date (vitest -u writes it)", async (name, text) => {
    await expect(text).toMatchFileSnapshot(`../../docs/reference/${name}`);
  });

  it("describes every event, and gives every reason of a run at most one exit code", () => {
    for (const { description, shape } of EventBody.options) expect(description, shape.type.value).toMatch(/\.$/);
    const reasons = EXIT_CODES.flatMap((each) => each.reasons ?? []);
    expect(reasons.toSorted()).toEqual(RunReason.options.toSorted());
  });
});
