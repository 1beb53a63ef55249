/** Executes a check before and after the work: evidence for a requirement. */
import * as z from "zod";
import { defined } from "../core/defined.ts";
import { checkText } from "../core/evidence/evidence.ts";
import { splitSelector } from "../core/evidence/outcome.ts";
import { oneLine } from "../core/text/cut.ts";
import { absence, checkedPaths } from "./known-paths.ts";
import { renamed } from "./lenient.ts";
import { optional } from "./shape.ts";
import { defineTool, refusal } from "./tool.ts";

/** More are files, or a folder of tests. */
const TESTS = 20;
const STDOUT_CHARS = 4_000;

export const prove = defineTool({
  name: "prove",
  category: "check",
  description:
    "Proves that a requirement is met: runs tests, or a command with what is expected of it, on the files before this instruction, on a copy with the functions of the code replaced by stubs, and on the files as they are. It must be red on the first two, by its own assertion, and green on the last. Tests lie in test files.",
  schema: z.strictObject({
    requirement: z.string().min(1).describe("its id: R1"),
    tests: optional(
      z.array(z.string().min(1)).max(TESTS).describe('test files, or tests in them: "test/a.test.js::adds"'),
    ),
    argv: optional(z.array(z.string()).describe("a program and its arguments, in place of tests")),
    expect: optional(
      z
        .strictObject({
          exit: optional(z.int().min(0).max(255)),
          stdout: optional(z.string().max(STDOUT_CHARS).describe("all that it prints")),
        })
        .describe("of the command; exit 0 if absent"),
    ),
  }),
  accept: (given) => renamed(renamed(given, "id", "requirement"), "test", "tests"),
  async run({ requirement, tests = [], argv = [], expect }, bench) {
    if (tests.length > 0 === argv.length > 0) return refusal(ONE_OF, "bad arguments");
    if (argv[0] !== undefined && /^$|[\s"'|&;<>]/.test(argv[0])) return refusal(ONE_WORD, "bad arguments");
    const selectors = tests.map(splitSelector);
    const checked = checkedPaths(selectors.map(({ path }) => path));
    if ("problem" in checked) return refusal(checked.problem);
    const absent = [];
    for (const path of checked.paths) if (!(await bench.files.read(path))) absent.push(await absence(path, bench));
    if (absent.length > 0) return refusal(`Nothing is proven.\n${absent.join("\n")}`);
    const named = selectors.map(({ name }, at) => `${checked.paths[at]}${name === undefined ? "" : `::${name}`}`);
    const expected = expect && defined({ exit: expect.exit, stdout: expect.stdout });
    const check = tests.length > 0 ? { tests: named } : { argv, ...(expected ? { expect: expected } : {}) };
    const { ok, text, finding } = await bench.prove({ requirement: requirement.trim(), check });
    const subject = oneLine(`${requirement} by ${checkText(check)}`, 80);
    return { ok, text, note: { subject, finding }, about: { kind: "verdict" } };
  },
});

const ONE_OF = "Nothing is proven. Name either `tests` or, for a command, `argv`, one of them and not both.";
const ONE_WORD =
  'Nothing is proven. argv[0] must be the name of a program alone: {"argv": ["node", "bin/a.js", "3"]}. For a shell line: {"argv": ["sh", "-c", "…"]}.';
