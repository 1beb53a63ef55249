/** Finds out whether a condition holds in the tree as the last step left it. A fact, never an opinion of the model. */
import { INVOCATION_RESERVE_MS } from "../../core/limits.ts";
import type { EvaluationRequest } from "../../core/ports.ts";
import type { Condition } from "../../core/program/language/condition.ts";
import type { CheckResult } from "../../core/program/language/condition-text.ts";
import { evaluationMsOf } from "../../core/run/option-forms.ts";
import type { Run } from "../../core/run/run.ts";
import { headAndTail } from "../../core/text/cut.ts";
import type { Json } from "../../core/text/json.ts";
import { isSameJson, valueAt } from "../../core/text/json-pointer.ts";
import { maskSecrets } from "../../core/text/secrets.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { compileRegex } from "../../tools/compile-regex.ts";
import { findProof } from "../evidence/find-proof.ts";
import { packBase } from "../files/packs.ts";
import type { Invocation, World } from "../world.ts";
import { readTask } from "./stored-task.ts";
import { isFolder, isInTree, readTreeText } from "./tree-files.ts";

/** Undefined: this invocation has not the time for it. */
export async function findOut(
  world: World,
  run: Run,
  { condition, invocation }: { condition: Condition; invocation: Invocation },
): Promise<CheckResult | undefined> {
  if ("file" in condition) return findInFile(world, run, condition);
  if ("requirement" in condition) return findProof(world, run, { requirement: condition.requirement, invocation });
  const timeoutMs = evaluationMsOf(run.options);
  if (invocation.remainingMs() < timeoutMs + INVOCATION_RESERVE_MS) return undefined;
  const evaluate = (wanted: Pick<EvaluationRequest, "command" | "tests">): Promise<Verdict> =>
    world.evaluator.evaluate(
      {
        runId: run.id,
        base: packBase(world.files, run),
        changes: [],
        ...wanted,
        install: run.options.install,
        timeoutMs,
      },
      invocation.signal,
    );
  if ("argv" in condition) return ofCommand(await evaluate({ command: { argv: condition.argv } }));
  const { checks } = (await readTask(world.files, run.id)).pack.declaration;
  if (!checks.tests || !run.options.runTests) return { holds: false, detail: "tests are turned off" };
  if (condition.tests === true) return ofTests(await evaluate({ tests: {} }));
  const absent = await firstAbsent(world, run, condition.tests);
  // Without these the evaluator would run all.
  if (absent !== undefined) return { holds: false, detail: `there is no ${absent}` };
  return ofTests(await evaluate({ tests: { paths: condition.tests } }));
}

async function firstAbsent(world: World, run: Run, paths: string[]): Promise<string | undefined> {
  for (const path of paths) if (!(await isInTree(world, run, path)) && !(await isFolder(world, run, path))) return path;
  return undefined;
}

/** Only `passed` holds: what could not run is unknown. */
function ofCommand({ command }: Verdict): CheckResult {
  if (!command) return { holds: false, detail: "the command was not run" };
  const { status, exitCode, detail, stdout, stderr } = command;
  const how =
    exitCode === null ? [status.replaceAll("_", " "), detail].filter(Boolean).join(": ") : `exit code ${exitCode}`;
  const output = [stdout, stderr].filter((text) => text.trim() !== "").join("\n");
  return checkOf({ holds: status === "passed" && exitCode === 0, detail: how, output });
}

function ofTests({ tests }: Verdict): CheckResult {
  const { status, passed, failed, errors, detail, output } = tests;
  const counts =
    status === "not_run" ? "" : `${passed} passed, ${failed} failed${errors > 0 ? `, ${errors} with errors` : ""}`;
  const how = [counts || status.replaceAll("_", " "), detail].filter(Boolean).join(": ");
  return checkOf({ holds: status === "passed", detail: how, output });
}

/** An event has it, and a repair begins with it. */
function checkOf({ holds, detail, output }: Required<CheckResult>): CheckResult {
  if (holds || output.trim() === "") return { holds, detail };
  return { holds, detail, output: maskSecrets(headAndTail(output.toWellFormed(), OUTPUT_CHARS)) };
}

const OUTPUT_CHARS = 4_000;

type FileCondition = Extract<Condition, { file: string }>;

async function findInFile(world: World, run: Run, condition: FileCondition): Promise<CheckResult> {
  const { file } = condition;
  if ("exists" in condition) {
    const isThere = await isInTree(world, run, file);
    return { holds: isThere === condition.exists, detail: isThere ? "it is there" : "there is no such file" };
  }
  const found = await readTreeText(world, run, file);
  if (!found) return { holds: false, detail: "there is no such file" };
  if (found.text === undefined) return { holds: false, detail: "the file is no text" };
  if ("pointer" in condition) return atPointer(found.text, condition);
  const compiled = await compileRegex(condition.matches);
  if ("problem" in compiled) return { holds: false, detail: `the pattern is not valid: ${compiled.problem}` };
  const holds = compiled.regex.matcher(found.text).find();
  return { holds, detail: holds ? "it matches" : "it does not match" };
}

function atPointer(text: string, { pointer, equals }: Extract<FileCondition, { pointer: string }>): CheckResult {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return { holds: false, detail: "the file is no JSON" };
  }
  const at = valueAt(value, pointer);
  if (at === undefined) return { holds: false, detail: "there is no such value" };
  const holds = isSameJson(at, equals);
  return { holds, detail: holds ? "it is that value" : `it is ${shown(at)}` };
}

const shown = (value: Json): string =>
  typeof value === "object" && value !== null ? "another value" : JSON.stringify(value).slice(0, VALUE_CHARS);

const VALUE_CHARS = 200;
