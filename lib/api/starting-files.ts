/** The files that a submission starts from: sent with it, or uploaded before as a zip. */
import { sha256 } from "../control/digest.ts";
import { encodeText } from "../core/file-text.ts";
import { isUlid } from "../core/ulid.ts";
import { checkedTree, refuseTooMuch } from "../pack/checked-tree.ts";
import { findInZip } from "../pack/read-zip.ts";
import { about, badField } from "./problem.ts";
import type { Asked } from "./route.ts";
import type { SubmissionBody } from "./submission-body.ts";

type Tree = Map<string, Uint8Array>;

export async function startingFiles(asked: Asked<unknown, SubmissionBody>): Promise<Tree | undefined> {
  const { files, uploads } = asked.body;
  if (uploads?.files === undefined) return files && about("files", () => checkedTree("files", sent(files)));
  if (files) throw badField("files", "Files are sent with the task or uploaded, not both.");
  return about("uploads.files", async () => uploaded(await fetched(asked, uploads.files ?? "")));
}

function sent(files: { path: string; content: string }[]): Tree {
  const contents: Tree = new Map();
  for (const { path, content } of files) {
    if (contents.has(path)) throw badField("files", `${path.slice(0, 200)} is there twice.`);
    contents.set(path, encodeText(content));
  }
  return contents;
}

async function fetched({ parts, context }: Asked, id: string): Promise<Uint8Array> {
  const zip = isUlid(id) ? await parts.files.get(uploadKey(context.caller, id)) : undefined;
  if (zip) return zip;
  throw badField("uploads.files", "Nothing was uploaded under this id.");
}

async function uploaded(zip: Uint8Array): Promise<Tree> {
  const found = findInZip("the zip", zip);
  refuseTooMuch("the zip", found.files);
  return checkedTree("the zip", await found.read());
}

const CALLER_DIGITS = 16;

/** Nobody can use what another has uploaded, knowing its id or not. */
export const uploadKey = (caller: string, id: string): string =>
  `uploads/${sha256(caller).slice(0, CALLER_DIGITS)}/${id}`;
