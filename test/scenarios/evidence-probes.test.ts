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

const hasPython = spawnSync("python3", ["--version"]).status === 0;

interface Probed {
  program: string;
  flag: string;
  text: string;
  functions: ReturnType<typeof pythonFunctions>;
}

/** In each place of the last function: whether the place is in the `catch`, and how the program ended with its probe. */
const endsOf = ({ program, flag, text, functions }: Probed) =>
  (functions.at(-1)?.places ?? []).map((place) => {
    const { status, stdout } = spawnSync(program, [flag, replaceAll(text, [{ ...place, text: place.probe }])], {
      encoding: "utf8",
    });
    return [place.change.includes("99"), status === PROBE_EXIT ? "ended" : stdout];
  });

function expectReached(probed: Probed): void {
  const ends = endsOf(probed);
  expect(ends.length).toBeGreaterThan(3);
  for (const [isCaught, end] of ends) expect(end).toBe(isCaught ? "20" : "ended");
}

it("in JavaScript a catch does not swallow it, and what is not reached changes nothing", () =>
  expectReached({
    ...{ program: process.execPath, flag: "-e", text: JAVASCRIPT },
    functions: javascriptFunctions(JAVASCRIPT, false),
  }));

it.skipIf(!hasPython)("in Python neither (needs python3)", () =>
  expectReached({ program: "python3", flag: "-c", text: PYTHON, functions: pythonFunctions(PYTHON) }),
);
