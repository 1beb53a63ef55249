/** Attacks that take all there is: processes, memory, disk, time, output. */
import { type Attack, lines } from "./attack.ts";

const attack = (name: string, more: Omit<Attack, "name" | "group">): Attack => ({ name, group: "resources", ...more });

export const resourceAttacks: Attack[] = [
  attack("fork bomb in Python", {
    needs: "python",
    files: () => ({
      "test_bomb.py": lines(
        "import os, unittest",
        "class Bomb(unittest.TestCase):",
        "    def test_bomb(self):",
        "        while True:",
        "            try:",
        "                os.fork()",
        "            except OSError:",
        "                pass",
      ),
    }),
    ask: { tests: true },
    timeoutMs: 4_000,
    honest: { words: "it runs out of time, or is ended", tests: ["timed_out", "crashed", "failed"] },
  }),
];
