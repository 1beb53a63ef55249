/** Turns a library call into what the client submits; its options have the same ranges as the command's flags. */
import type { SubmissionBody } from "../api/submission-body.ts";
import type { Tree, Trees } from "../client/attach-trees.ts";
import { UserError } from "../core/errors.ts";
import { isGitAddress, readGitAddress } from "../core/git/origin.ts";
import { type Draft, Draft as DraftSchema } from "../core/program/program.ts";
import { programData } from "../core/program/program-text.ts";
import { GivenOptions, toBody, withCurrentNames } from "../core/run/option-forms.ts";
import { checkedName } from "../core/run/slug.ts";
import { encodeText } from "../core/text/file-text.ts";
import { isToolName } from "../core/turn/tools.ts";
import { programFolders } from "../files/program/program-folders.ts";
import { readProgram } from "../files/program-file.ts";
import { choosePack, loadPack } from "../files/prompt-folder.ts";
import { readSharedTree } from "../files/shared-tree.ts";
import { readGivenTests } from "../files/starting-tree.ts";
import { checkedTree } from "../pack/checked-tree.ts";
import type { DomainOptions, PlaceOptions } from "./options.ts";

export interface GenerateRequest {
  body: SubmissionBody;
  trees: Trees;
}

export async function requestFrom(task: string, options: DomainOptions): Promise<GenerateRequest> {
  const { rehearse, tests, name, prompts } = options;
  const given = optionsFrom(options);
  const program = programIn(options.program, foldersFor(options));
  // Names the folder of a pack that cannot be used.
  if (prompts !== undefined) await choosePack(options);
  const body: SubmissionBody = {
    task,
    ...toBody({ ...given, ...(rehearse ? { model: "rehearsal" } : {}) }),
    ...(name === undefined ? {} : { name: checkedName(name) }),
    ...repositoryIn(options),
    ...(program ? { program: programData(program) } : {}),
    ...(prompts === undefined ? {} : { prompts: await loadPack(prompts) }),
  };
  return { body, trees: { files: await startingFiles(options), tests: await testsIn(tests) } };
}

export const foldersFor = ({ home, env = process.env }: PlaceOptions): string[] =>
  programFolders({ home: home ?? (env.L2MAC_HOME || ".l2mac"), env });

function optionsFrom(options: DomainOptions): GivenOptions {
  checkTools(options.tools);
  const parsed = GivenOptions.safeParse(withCurrentNames({ ...options, tests: options.tests !== false }));
  if (parsed.success) return parsed.data;
  const words = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  throw new UserError(`The options are wrong: ${words}.`, { exitCode: 2 });
}

function checkTools(tools: string[] | undefined): void {
  const unknown = tools?.filter((name) => !isToolName(name)) ?? [];
  if (unknown.length === 0) return;
  throw new UserError(`There are no tools ${unknown.join(", ")}.`, { exitCode: 2 });
}

/** `folders`: where programs that it calls by name are found. */
export function programIn(program: Draft | string | undefined, folders: readonly string[]): Draft | undefined {
  if (program === undefined) return undefined;
  if (typeof program === "string") return readProgram(program, folders);
  const parsed = DraftSchema.safeParse(program);
  if (parsed.success) return parsed.data;
  throw new UserError(`The program is none: ${parsed.error.issues[0]?.message}.`, { exitCode: 2 });
}

/** It is fetched where the run is computed. */
function repositoryIn({
  from,
  push,
  allowSecrets,
}: DomainOptions): Pick<SubmissionBody, "from" | "push" | "allowSecrets"> {
  if (typeof from !== "string" || !isGitAddress(from)) {
    if (push) throw new UserError("push needs the address of a Git repository as from.", { exitCode: 2 });
    return {};
  }
  const read = readGitAddress(from);
  if ("problem" in read) throw new UserError(`from is no address of a repository: ${read.problem}.`, { exitCode: 2 });
  return { from, ...(push ? { push } : {}), ...(allowSecrets ? { allowSecrets } : {}) };
}

async function startingFiles({ from, allowSecrets }: DomainOptions): Promise<Tree | undefined> {
  if (typeof from === "string" && isGitAddress(from)) return undefined;
  return typeof from === "string" ? (await readSharedTree(from, { allowSecrets })).files : treeIn(from);
}

type GivenFiles = Exclude<DomainOptions["from"], string>;

async function treeIn(from: GivenFiles, name = "the files given"): Promise<Tree | undefined> {
  if (from === undefined) return undefined;
  const contents = Object.entries(from).map(([path, content]): [string, Uint8Array] => [
    path,
    typeof content === "string" ? encodeText(content) : content,
  ]);
  return checkedTree(name, new Map(contents));
}

async function testsIn(tests: DomainOptions["tests"]): Promise<Tree | undefined> {
  if (tests === undefined || typeof tests === "boolean") return undefined;
  if (typeof tests === "string") return (await readGivenTests(tests)).files;
  const given = await treeIn(tests, "the tests given");
  if (given?.size === 0) throw new UserError("The tests given are no files.", { exitCode: 2 });
  return given;
}
