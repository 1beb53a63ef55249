import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../../lib/cli/commands.ts";
import { manual } from "../../lib/cli/manual.ts";
import { EventBody } from "../../lib/core/run/event.ts";
import { EXIT_CODES } from "../../lib/core/run/exit-codes.ts";
import { RunReason } from "../../lib/core/run/run.ts";
import { ROOT } from "./pages.ts";
import { referencePages } from "./reference.ts";

describe("the reference in docs/", () => {
  it.each(Object.entries(referencePages()))("%s is up to date (vitest -u writes it)", async (name, text) => {
    await expect(text).toMatchFileSnapshot(`../../docs/reference/${name}`);
  });

  it("has a man page in the package, with each command, that mandoc reads without a complaint where it is installed", () => {
    for (const { name } of commands) expect(manual()).toContain(`\n.SS l2mac ${name}`);
    const { error, stdout } = spawnSync("mandoc", ["-T", "lint", "-W", "warning"], {
      input: manual(),
      encoding: "utf8",
    });
    if (!error) expect(stdout).toBe("");
    const { man, files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(man).toEqual(["./dist/l2mac.1"]);
    expect(files).toContain("dist");
  });

  it("describes every event, and gives every reason of a run at most one exit code", () => {
    for (const { description, shape } of EventBody.options) expect(description, shape.type.value).toMatch(/\.$/);
    const reasons = EXIT_CODES.flatMap((each) => each.reasons ?? []);
    expect(reasons.toSorted()).toEqual(RunReason.options.toSorted());
  });
});
