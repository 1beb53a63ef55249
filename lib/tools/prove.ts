/** Executes a check before and after the work: evidence for a requirement. */
import * as z from "zod";
import { defined } from "../core/defined.ts";
import { checkText, type EvidenceCheck } from "../core/evidence/evidence.ts";
import { splitSelector } from "../core/evidence/outcome.ts";
import { oneLine } from "../core/text/cut.ts";
import type { Workbench } from "../core/turn/workbench.ts";
import { documentCheck } from "./evidence/document-check.ts";
import { absence, checkedPaths } from "./known-paths.ts";
import { renamed } from "./lenient.ts";
import { optional } from "./shape.ts";
import { defineTool, refusal } from "./tool.ts";

/** More are files, or a folder of tests. */
const TESTS = 20;
const STDOUT_CHARS = 4_000;
const PASSAGE_CHARS = 1_000;

export const prove = defineTool({
  name: "prove",
  category: "check",
  description:
    "Proves that a requirement is met: runs tests, or a command with what is expected of it, on the files before this instruction, on a copy with the functions of the code replaced by stubs, and on the files as they are. It must be red on the first two, by its own assertion, and green on the last. Tests lie in test files. What documents say (a book, a README) is proven by passages, counts or links in place of tests: they must not hold on the files before this instruction, and hold on the files as they are.",
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
    passages: optional(
      z
        .array(z.strictObject({ path: z.string().min(1), words: z.string().min(1).max(PASSAGE_CHARS) }))
        .max(TESTS)
        .describe("sentences that are in a document, word for word"),
    ),
    counts: optional(
      z
        .array(
          z.strictObject({
            of: z.enum(["words", "headings", "chapters"]),
            path: optional(z.string().min(1).describe("a document; absent: all chapters")),
            least: optional(z.int().min(0)),
            most: optional(z.int().min(0)),
          }),
        )
        .max(TESTS),
    ),
    links: optional(z.array(z.string().min(1)).max(TESTS).describe("documents whose links must all lead somewhere")),
  }),
  accept: (given) => renamed(renamed(given, "id", "requirement"), "test", "tests"),
  async run({ requirement, tests = [], argv = [], expect, passages = [], counts = [], links = [] }, bench) {
    const documents = passages.length + counts.length + links.length;
    if ([tests.length, argv.length, documents].filter((given) => given > 0).length !== 1)
      return refusal(ONE_OF, "bad arguments");
    const made =
      documents > 0
        ? documentCheck({ passages, counts, links })
        : tests.length > 0
          ? await testCheck(tests, bench)
          : commandCheck(argv, expect);
    if ("problem" in made) return refusal(made.problem, made.finding);
    const { ok, text, finding } = await bench.prove({ requirement: requirement.trim(), check: made });
    const subject = oneLine(`${requirement} by ${checkText(made)}`, 80);
    return { ok, text, note: { subject, finding }, about: { kind: "verdict" } };
  },
});

type Made = EvidenceCheck | { problem: string; finding?: string };

async function testCheck(tests: string[], bench: Workbench): Promise<Made> {
  const selectors = tests.map(splitSelector);
  const checked = checkedPaths(selectors.map(({ path }) => path));
  if ("problem" in checked) return checked;
  const absent = [];
  for (const path of checked.paths) if (!(await bench.files.read(path))) absent.push(await absence(path, bench));
  if (absent.length > 0) return { problem: `Nothing is proven.\n${absent.join("\n")}` };
  return { tests: selectors.map(({ name }, at) => `${checked.paths[at]}${name === undefined ? "" : `::${name}`}`) };
}

function commandCheck(
  argv: string[],
  expect: { exit?: number | undefined; stdout?: string | undefined } | undefined,
): Made {
  if (argv[0] !== undefined && /^$|[\s"'|&;<>]/.test(argv[0])) return { problem: ONE_WORD, finding: "bad arguments" };
  return { argv, ...(expect ? { expect: defined({ exit: expect.exit, stdout: expect.stdout }) } : {}) };
}

const ONE_OF =
  "Nothing is proven. Name `tests`; or, for a command, `argv`; or, for documents, `passages`, `counts` or `links`: one of them and not both.";
const ONE_WORD =
  'Nothing is proven. argv[0] must be the name of a program alone: {"argv": ["node", "bin/a.js", "3"]}. For a shell line: {"argv": ["sh", "-c", "…"]}.';
