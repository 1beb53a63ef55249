/** The suite of a checkout of QuixBugs, on a folder of that layout with programs of our own. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { aBench } from "../../../test/doubles/command.ts";

const python = spawnSync("python3", ["--version"]).error === undefined;
const bench = aBench();
afterAll(() => bench.remove());

/** The broken body, the right one, and tests: a line has the arguments and what must be returned. */
const PROGRAMS: Record<string, [broken: string, right: string, tests: string]> = {
  half: ["return x", "return x / 2", "[[3.0], 1.5]\n[[2], 1.0]\n"],
  pairs: ["return []", "return [(x, x)]", "[[1], [[1, 1]]]\n"],
  // JSON of JavaScript would make a whole number of it.
  kind: ["return 'int'", "return type(x).__name__", '[[1.0], "float"]\n[[1], "int"]\n'],
};

function layCheckout(): string {
  const folder = join(bench.folder, "checkout");
  for (const name of ["json_testcases", "python_programs", "correct_python_programs"])
    mkdirSync(join(folder, name), { recursive: true });
  for (const [name, [broken, right, tests]] of Object.entries(PROGRAMS)) {
    writeFileSync(join(folder, "json_testcases", `${name}.json`), tests);
    writeFileSync(join(folder, "python_programs", `${name}.py`), `def ${name}(x):\n    ${broken}\n`);
    writeFileSync(join(folder, "correct_python_programs", `${name}.py`), `def ${name}(x):\n    ${right}\n`);
  }
  return folder;
}

describe.skipIf(!python)(`eval doctor quixbugs${python ? "" : " (needs python3)"}`, () => {
  it("accepts the corrected programs of a checkout, and neither the broken ones nor what cheats", async () => {
    const { code, stdout, stderr } = await bench.run(["eval", "doctor", "quixbugs", "--exercises", layCheckout()]);
    expect(code, stderr).toBe(0);
    const words = stdout.replace(/ +/g, " ");
    for (const row of ["oracle 3/3", "nothing 0/3", "stub 0/3"])
      expect(words).toContain(`quixbugs ${row} as it must be`);
  }, 120_000);

  it("needs a checkout", async () => {
    const { code, stderr } = await bench.run(["eval", "doctor", "quixbugs"]);
    expect(code).toBe(1);
    expect(stderr).toContain("No checkout of QuixBugs is given");
  });
});
