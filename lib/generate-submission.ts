/** Turns a library call into a submission, held to what the command's flags are held to. */

import { startingFiles } from "./control/gate/user-tests.ts";
import { budgetFrom, prepareSubmission, readTask } from "./control/lifecycle/prepare.ts";
import type { Submission } from "./control/lifecycle/submit.ts";
import { UserError } from "./core/errors.ts";
import { type Draft, Draft as DraftSchema } from "./core/program/program.ts";
import { GivenOptions, toStored, withCurrentNames } from "./core/run/option-forms.ts";
import { checkedName, slugOf } from "./core/run/slug.ts";
import { encodeText } from "./core/text/file-text.ts";
import { isToolName } from "./core/turn/tools.ts";
import { readProgram } from "./files/program-file.ts";
import { choosePack } from "./files/prompt-folder.ts";
import { readGivenTests, readStartingTree } from "./files/starting-tree.ts";
import type { DomainOptions } from "./generate-options.ts";
import { type ChosenModels, chooseModels, rehearsalProfile } from "./model/open-model.ts";
import { checkedTree } from "./pack/checked-tree.ts";

export async function submissionFrom(task: string, options: DomainOptions): Promise<Omit<Submission, "owner">> {
  const { rehearse, tests } = options;
  const given = optionsFrom(options);
  const pack = await choosePack(options);
  const read = readTask(task, programIn(options.program));
  const trees = { from: await treeIn(options.from), tests: await testsIn(tests) };
  const start = startingFiles({ ...trees, pack, runTests: tests !== false });
  const chosenModels: Omit<ChosenModels, "notes"> = rehearse
    ? { profile: rehearsalProfile(options.contextWindow) }
    : await chooseModels(options);
  return prepareSubmission({
    read,
    name: options.name === undefined ? slugOf(task) : checkedName(options.name),
    pack,
    profile: chosenModels.profile,
    models: chosenModels.models,
    start,
    budget: budgetFrom(options, chosenModels),
    options: { ...toStored(given), domain: pack.declaration.domain },
  });
}

/** Held to the same ranges as the command's flags. */
function optionsFrom({ rehearse, ...options }: DomainOptions): GivenOptions {
  checkTools(options.tools);
  const served = rehearse ? { baseUrl: undefined, apiVersion: undefined } : {};
  const parsed = GivenOptions.safeParse(withCurrentNames({ ...options, tests: options.tests !== false, ...served }));
  if (parsed.success) return parsed.data;
  const words = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  throw new UserError(`The options are wrong: ${words}.`, { exitCode: 2 });
}

function checkTools(tools: string[] | undefined): void {
  const unknown = tools?.filter((name) => !isToolName(name)) ?? [];
  if (unknown.length === 0) return;
  throw new UserError(`There are no tools ${unknown.join(", ")}.`, { exitCode: 2 });
}

function programIn(program: Draft | string | undefined): Draft | undefined {
  if (program === undefined) return undefined;
  if (typeof program === "string") return readProgram(program);
  const parsed = DraftSchema.safeParse(program);
  if (parsed.success) return parsed.data;
  throw new UserError(`The program is none: ${parsed.error.issues[0]?.message}.`, { exitCode: 2 });
}

async function treeIn(
  from: DomainOptions["from"],
  called = "the files given",
): Promise<Map<string, Uint8Array> | undefined> {
  if (from === undefined) return undefined;
  if (typeof from === "string") return (await readStartingTree(from)).files;
  const contents = Object.entries(from).map(([path, content]): [string, Uint8Array] => [
    path,
    typeof content === "string" ? encodeText(content) : content,
  ]);
  return checkedTree(called, new Map(contents));
}

async function testsIn(tests: DomainOptions["tests"]): Promise<Map<string, Uint8Array> | undefined> {
  if (tests === undefined || typeof tests === "boolean") return undefined;
  if (typeof tests === "string") return (await readGivenTests(tests)).files;
  const given = await treeIn(tests, "the tests given");
  if (given?.size === 0) throw new UserError("The tests given are no files.", { exitCode: 2 });
  return given;
}
