/** Checks trees by executing a suite's checker on them in the sandbox. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import * as z from "zod";
import { UserError } from "../../lib/core/errors.ts";
import type { Evaluator } from "../../lib/core/ports.ts";
import type { Json } from "../../lib/core/text/json.ts";
import type { Verdict } from "../../lib/core/verdict/verdict.ts";
import { projectFile } from "../../lib/files/project-files.ts";
import { packTree } from "../../lib/pack/pack.ts";
import type { CaseOutcome, Checker } from "./suite.ts";

export interface CheckedTree {
  files: ReadonlyMap<string, Uint8Array>;
  spec: Json;
  seconds: number;
}

export interface TreeCheck {
  evaluator: Evaluator;
  checker: Checker;
  /** Checked one after the other; each has a folder of its own, so none configures what checks it. */
  trees: CheckedTree[];
}

const count = z.int().min(0);
const Measured = z.object({ words: count, repeated: z.number() });
const Answers = z.array(z.tuple([count, count, z.array(z.string()), Measured.optional()]));
const START_SECONDS = 30;

/** Answers an outcome for each tree. Throws where the checker itself cannot be executed here. */
export async function checkTrees(
  { evaluator, checker, trees }: TreeCheck,
  signal?: AbortSignal,
): Promise<CaseOutcome[]> {
  const runId = randomUUID();
  const nonce = randomUUID();
  const changes = trees.flatMap(({ files }, at) =>
    [...files].map(([path, content]) => ({ path: `${folderOf(at)}/${path}`, content })),
  );
  const entries = trees.map(({ spec, seconds }, at) => ({ folder: folderOf(at), spec, seconds }));
  const timeoutSeconds = START_SECONDS + trees.reduce((sum, { seconds }) => sum + seconds, 0);
  const asked = { argv: argvOf(checker), stdin: JSON.stringify({ nonce, entries }), timeoutSeconds };
  try {
    const verdict = await evaluator.evaluate(
      {
        runId,
        base: { key: runId, load: async () => packTree(undefined, [...KEPT, ...changes]) },
        changes: [],
        command: asked,
        install: false,
        timeoutMs: (timeoutSeconds + START_SECONDS) * 1000,
      },
      signal,
    );
    return outcomesIn(verdict, { nonce, count: trees.length, checker });
  } finally {
    await evaluator.release?.(runId);
  }
}

const folderOf = (at: number): string => `tree-${at}`;

/** No pack is empty. */
const KEPT = [{ path: "checked.txt", content: new TextEncoder().encode("Trees that are checked.\n") }];

function argvOf({ program, script }: Checker): string[] {
  const text = readFileSync(projectFile(`packages/eval/checkers/${script}`), "utf8");
  return program === "node" ? ["node", "--input-type=module", "-e", text] : ["python3", "-I", "-B", "-c", text];
}

interface Expected {
  nonce: string;
  count: number;
  checker: Checker;
}

/** What has no answer failed: a solution may have ended the checker. */
function outcomesIn({ command }: Verdict, { nonce, count, checker }: Expected): CaseOutcome[] {
  if (!command || command.status === "not_run") {
    throw new UserError(`The checker ${checker.script} cannot run here: ${command?.detail ?? "nothing executes it"}.`, {
      exitCode: 3,
      remedy: { command: "doctor", args: [] },
    });
  }
  const line = command.stdout.split("\n").find((each) => each.startsWith(`${nonce} `));
  const read = line === undefined ? undefined : answersIn(line.slice(nonce.length));
  if (read?.length === count) return read.map(outcomeOf);
  const said = command.detail ?? command.stderr.trim().split("\n").at(-1) ?? "";
  const why = `the checker gave no answer: ${command.status}${said === "" ? "" : `, ${said.slice(0, 200)}`}`;
  return Array.from({ length: count }, () => ({ passed: 0, of: 1, failures: [why] }));
}

const outcomeOf = ([passed, of, failures, measured]: z.infer<typeof Answers>[number]): CaseOutcome => ({
  passed,
  of,
  failures,
  ...(measured ? { measured } : {}),
});

function answersIn(text: string): z.infer<typeof Answers> | undefined {
  try {
    return Answers.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
