/** Makes a submission of a request, or names the wrong field, before anything is stored or spent. */
import { sha256 } from "../control/files/digest.ts";
import { startingFiles } from "../control/gate/user-tests.ts";
import { budgetFrom, prepareSubmission, type ReadTask, readTask } from "../control/lifecycle/prepare.ts";
import type { Submission } from "../control/lifecycle/submit.ts";
import { defined } from "../core/defined.ts";
import { evidenceOf } from "../core/evidence/evidence-kind.ts";
import { type GitOrigin, readGitAddress } from "../core/git/origin.ts";
import type { Draft } from "../core/program/program.ts";
import { lintPack, type PromptPack } from "../core/prompt/prompt.ts";
import { defaultLanes, laneNotes } from "../core/run/lanes/lane-options.ts";
import { fromBody, type GivenOptions, type RunOptions, toStored } from "../core/run/option-forms.ts";
import { slugOf } from "../core/run/slug.ts";
import { chosenExaminers, chosenModel } from "./chosen-models.ts";
import type { HeaderReader } from "./exchange.ts";
import type { ApiParts } from "./parts.ts";
import { asFieldError, badField } from "./problem.ts";
import { draftIn } from "./program-draft.ts";
import { filesFrom, type SubmissionCall, testsFrom } from "./starting-files.ts";
import type { SubmissionBody } from "./submission-body.ts";

export interface ReadSubmission {
  submission: Submission;
  /** What was assumed, each a sentence. */
  notes: string[];
}

export async function readSubmission(call: SubmissionCall): Promise<ReadSubmission> {
  const { body, context, headers } = call;
  const { given: draft, read } = await readProgramAndTask(call);
  const pack = await chosenPack(call);
  const { profile, models: own = [profile], server, notes = [] } = await chosenModel(call);
  const given = givenOptions(call);
  const stored = storedOptions(given, { pack, draft });
  const { examinerModel, unpriced } = given;
  const examined = { options: stored, models: own };
  const { examiners, notes: more } = await chosenExaminers(
    { parts: call.parts, examinerModel, wish: { unpriced, isDryRun: false } },
    examined,
  );
  const listed = [...own, ...examiners];
  const models = listed.length > 1 ? listed : undefined;
  const budget = await asFieldError("budget", () => budgetFrom(given, { profile, models }));
  const { program } = read;
  const isRehearsal = profile.model === "rehearsal";
  const lanes = defined({ parallel: given.parallel ?? defaultLanes(program) });
  const options = { ...stored, ...lanes, ...server, domain: pack.declaration.domain };
  const from = await filesFrom(call);
  const tests = await testsFrom(call);
  const git = gitIn(call.body);
  const { runTests } = options;
  const start = await asFieldError("tests", () => startingFiles({ from, tests, pack, runTests }));
  const name = body.name ?? slugOf(body.task);
  const prepared = await asFieldError("task", () =>
    prepareSubmission({ read, pack, profile, models, budget, start, git, name, options }),
  );
  const idempotency = idempotencyOf(headers, { caller: context.caller, body });
  return {
    submission: { ...prepared, owner: context.caller, ...idempotency },
    notes: [...notes, ...more, ...laneNotes({ program, asked: given.parallel, isRehearsal })],
  };
}

function storedOptions(given: GivenOptions, { pack, draft }: { pack: PromptPack; draft: Draft | undefined }) {
  const isTested = pack.declaration.checks.tests && given.tests !== false;
  return toStored({ ...given, evidence: evidenceOf({ chosen: given.evidence, isTested, program: draft }) });
}

/** What is fetched when the run is planned: an address alone is checked here. */
function gitIn({ from, after, allowSecrets, push, files, uploads }: SubmissionBody): GitOrigin | undefined {
  if (from === undefined) {
    if (push) throw badField("push", "Nothing can be pushed without a repository to start from: give `from`.");
    return undefined;
  }
  if (files || uploads?.files !== undefined || after !== undefined)
    throw badField("from", "The run starts from a repository, from another run, or from files that are sent.");
  const address = readGitAddress(from);
  if ("problem" in address) throw badField("from", address.problem);
  return { ...address, ...(allowSecrets ? { allowSecrets } : {}), ...(push ? { push } : {}) };
}

/** `given`: the program without what it lacks and the task has. */
async function readProgramAndTask(call: SubmissionCall): Promise<{ read: ReadTask; given?: Draft }> {
  const { task, program } = call.body;
  const read = await asFieldError("task", () => readTask(task));
  if (program === undefined) return { read };
  const given = await draftIn(call, program);
  return { given, read: await asFieldError("program", () => readTask(task, given)) };
}

async function chosenPack({ parts, body }: SubmissionCall): Promise<PromptPack> {
  const domain = body.domain ?? parts.settings.defaults.domain;
  return body.prompts ? packFrom(parts, body.prompts, body.domain ?? "custom") : parts.packs(domain ?? "codebase");
}

/** A file that is missing is taken from the pack of the domain. */
export async function packFrom(
  parts: Pick<ApiParts, "packs">,
  files: Record<string, string>,
  domain: RunOptions["domain"],
): Promise<PromptPack> {
  const linted = lintPack(files, await parts.packs(domain));
  if ("problems" in linted) throw badField("prompts", linted.problems.slice(0, PROBLEMS_NAMED).join(" "));
  return linted.pack;
}

const PROBLEMS_NAMED = 10;

/** The options of the request over those of the server. */
function givenOptions({ parts: { settings, dailyUsd }, body }: SubmissionCall): GivenOptions {
  const given = { ...fromBody(settings.defaults), ...fromBody(body), dailyUsd };
  return { ...given, install: settings.install && body.install !== false };
}

export const IDEMPOTENCY_KEY = "idempotency-key";

export function idempotencyOf(headers: HeaderReader, { caller, body }: { caller: string; body: object }) {
  const key = headers.get(IDEMPOTENCY_KEY);
  if (key === null) return {};
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw badField(IDEMPOTENCY_KEY, "It takes 1 to 200 visible ASCII characters.");
  }
  return { idempotency: { caller, key, bodyHash: sha256(JSON.stringify(body)) } };
}
