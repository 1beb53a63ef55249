/** What shows that a place is reached ends the process there, whatever the program catches. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { javascriptFunctions } from "../../lib/core/evidence/mutants/javascript.ts";
import { PROBE_EXIT } from "../../lib/core/evidence/mutants/place.ts";
import { pythonFunctions } from "../../lib/core/evidence/mutants/python.ts";
import { replaceAll } from "../../lib/core/evidence/stubs/replace.ts";

const JAVASCRIPT = `process.exit = () => { throw new Error("intercepted"); };
function price(count) {
  try {
    return count * 10;
  } catch {
    return 99;
  }
}
process.stdout.write(String(price(2)));
`;
const PYTHON = `def price(count):
    try:
        return count * 10
    except BaseException:
        return 99
    finally:
        pass


print(price(2), end="")
`;

it.each([
  ["JavaScript", process.execPath, "-e", JAVASCRIPT, javascriptFunctions(JAVASCRIPT, false)],
  ["Python", "python3", "-c", PYTHON, pythonFunctions(PYTHON)],
] as const)(
  "in %s a catch does not swallow it, and what is not reached changes nothing",
  (_, program, flag, text, all) => {
    const ends = (all.at(-1)?.places ?? []).map((place) => {
      const { status, stdout } = spawnSync(program, [flag, replaceAll(text, [{ ...place, text: place.probe }])], {
        encoding: "utf8",
      });
      return [place.change.includes("99"), status === PROBE_EXIT ? "ended" : stdout];
    });
    expect(ends.length).toBeGreaterThan(3);
    for (const [isCaught, end] of ends) expect(end).toBe(isCaught ? "20" : "ended");
  },
);
