/** The starting files and tests of a submission: in its body, uploaded before as zips, or those of an earlier run. */
import { sha256 } from "../control/files/digest.ts";
import { readTree } from "../control/files/packs.ts";
import { filesOf } from "../core/run/file-count.ts";
import { isUlid } from "../core/run/ulid.ts";
import { encodeText } from "../core/text/file-text.ts";
import { checkedTree, refuseTooMuch } from "../pack/checked-tree.ts";
import type { TreeFiles } from "../pack/pack.ts";
import { findInZip } from "../pack/read-zip.ts";
import { asFieldError, badField, Refused } from "./problem.ts";
import type { RouteCall } from "./route.ts";
import { ownRun } from "./run-view.ts";
import type { SubmissionBody } from "./submission-body.ts";

type Tree = TreeFiles;
export type SubmissionCall = RouteCall<unknown, SubmissionBody>;

export async function filesFrom(call: SubmissionCall): Promise<Tree | undefined> {
  const { after } = call.body;
  const sent = await treeIn(call, "files");
  if (after === undefined) return sent;
  if (sent) throw badField("after", "Files to start from are sent with the task too: give one of both.");
  return asFieldError("after", () => acceptedFiles(call, after));
}

async function acceptedFiles(call: SubmissionCall, id: string): Promise<Tree> {
  const { files } = call.parts;
  const run = await ownRun({ ...call, params: { id } }).catch((error: unknown) => {
    if (error instanceof Refused && error.status === 404) throw badField("after", "There is no such run.");
    throw error;
  });
  if (run.packed < 0 || filesOf(run) === 0) throw badField("after", "This run has accepted no files.");
  return readTree(files, run.id, run.packed);
}

export async function testsFrom(call: SubmissionCall): Promise<Tree | undefined> {
  const tests = await treeIn(call, "tests");
  if (tests?.size === 0) throw badField("tests", "There is no file among them.");
  return tests;
}

async function treeIn(call: SubmissionCall, field: "files" | "tests"): Promise<Tree | undefined> {
  const { [field]: given, uploads } = call.body;
  const id = uploads?.[field];
  if (id === undefined) return given && asFieldError(field, () => checkedTree(field, sent(given, field)));
  if (given) throw badField(field, "They are sent with the task or uploaded, not both.");
  const tree = call.parts.uploadedTrees?.get(id);
  if (tree) return tree;
  return asFieldError(`uploads.${field}`, async () => uploaded(await fetched(call, { id, field })));
}

function sent(files: { path: string; content: string }[], field: string): Tree {
  const contents = new Map<string, Uint8Array>();
  for (const { path, content } of files) {
    if (contents.has(path)) throw badField(field, `${path.slice(0, 200)} is there twice.`);
    contents.set(path, encodeText(content));
  }
  return contents;
}

async function fetched(
  { parts, context }: RouteCall,
  { id, field }: { id: string; field: string },
): Promise<Uint8Array> {
  const zip = isUlid(id) ? await parts.files.get(uploadKey(context.caller, id)) : undefined;
  if (zip) return zip;
  throw badField(`uploads.${field}`, "Nothing was uploaded under this id.");
}

/** One file is inflated at a time: the whole tree may be larger than this function's memory. */
function uploaded(zip: Uint8Array): Tree {
  const { files, entries } = findInZip("the zip", zip);
  refuseTooMuch("the zip", files);
  return checkedTree("the zip", entries());
}

const CALLER_DIGITS = 16;

/** Under the caller's own prefix: no one else can use the upload, even with its id. */
export const uploadKey = (caller: string, id: string): string =>
  `uploads/${sha256(caller).slice(0, CALLER_DIGITS)}/${id}`;
