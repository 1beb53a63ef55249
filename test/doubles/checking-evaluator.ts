/**
 * An evaluator without processes: a test file `test/<name>.test.js` is green where `src/<name>.js` has the text that the
 * test names in `wants: …`, or ends with that of `ends: …`, red by an assertion where it lacks it, and missing where there is no such file.
 * One that says `runs` is red only on stubs, and where an exception is thrown.
 */
import type { EvaluationRequest, Evaluator } from "../../lib/core/ports.ts";
import type { TestCase, Verdict } from "../../lib/core/verdict/verdict.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { aVerdict } from "./machines.ts";

export interface CheckingEvaluator extends Evaluator {
  /** What was asked for, in order: `tests`, `test/a.test.js`, `node a.js`. */
  asked: string[];
}

export function checkingEvaluator(
  over: { isBroken?: (request: EvaluationRequest) => boolean } = {},
): CheckingEvaluator {
  const asked: string[] = [];
  return {
    asked,
    async evaluate(request, signal) {
      signal?.throwIfAborted();
      const { tests, command, delivered, smoke } = request;
      const what = command?.argv.join(" ") ?? tests?.paths?.join(" ") ?? "tests";
      asked.push(`${delivered ? "delivered " : smoke ? "smoke " : ""}${what}`);
      if (over.isBroken?.(request)) return broken(request);
      const tree = await treeOf(request);
      const cases = casesOf(tree, tests?.paths);
      const red = cases.filter(({ status }) => status !== "passed");
      const verdict = aVerdict({
        tests: {
          ...{ status: red.length > 0 ? "failed" : cases.length > 0 ? "passed" : "not_found", cases },
          passed: cases.length - red.length,
          failed: red.length,
          ...(tests?.paths ? { scope: { files: cases.length, of: cases.length } } : {}),
        },
      });
      return command ? { ...verdict, command: ranOn(tree, command.argv) } : verdict;
    },
  };
}

const broken = ({ command }: EvaluationRequest): Verdict => {
  const why = { status: "crashed" as const, reason: "evaluator_failed", detail: "the sandbox broke" };
  return {
    ...aVerdict({ tests: { ...why, passed: 0 } }),
    ...(command ? { command: { ...why, exitCode: null, stdout: "", stderr: "" } } : {}),
  };
};

type Tree = Map<string, string>;
const decoder = new TextDecoder();

async function treeOf({ base, changes }: EvaluationRequest): Promise<Tree> {
  const tree: Tree = new Map([...unpackTree(await base.load())].map(([path, bytes]) => [path, decoder.decode(bytes)]));
  for (const { path, content } of changes) {
    if (content === null) tree.delete(path);
    else tree.set(path, decoder.decode(content));
  }
  return tree;
}

function casesOf(tree: Tree, paths: string[] | undefined): TestCase[] {
  return [...tree].flatMap(([path, text]): TestCase[] => {
    const subject = /^test\/(\w+)\.test\.js$/.exec(path)?.[1];
    if (subject === undefined || (paths && !paths.includes(path))) return [];
    const wanted = /wants: (.+)/.exec(text)?.[1] ?? "";
    const code = tree.get(`src/${subject}.js`);
    const name = `${path} > ${subject}`;
    if (code === undefined) return [{ name: path, status: "error", message: `Cannot find module 'src/${subject}.js'` }];
    // What compares all of a text notices a comment.
    const end = /ends: (.+)/.exec(text)?.[1];
    const isGreen = text.startsWith("// runs")
      ? !/__l2macStub|this place is reached/.test(code)
      : end === undefined
        ? code.replaceAll("/* */ ", "").includes(wanted)
        : code.trimEnd().endsWith(end);
    if (isGreen) return [{ name, status: "passed" }];
    return [
      { name, status: "failed", message: "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal" },
    ];
  });
}

/** `show src/a.js` prints the file. */
function ranOn(tree: Tree, [program = "", path = ""]: string[]): NonNullable<Verdict["command"]> {
  const text = tree.get(path);
  if (program !== "show") return { status: "not_found", exitCode: null, stdout: "", stderr: "" };
  if (text === undefined) return { status: "failed", exitCode: 1, stdout: "", stderr: `ENOENT: ${path}` };
  return { status: "passed", exitCode: 0, stdout: text, stderr: "" };
}
