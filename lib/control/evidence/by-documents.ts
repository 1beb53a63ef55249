/** Evidence from documents: what l2mac reads in them, before this instruction and now. Nothing is executed. */

import { whyNoProof } from "../../core/evidence/documents/document-check.ts";
import { type Documents, documentOutcome, placeOfPassage } from "../../core/evidence/documents/document-outcome.ts";
import { isRed, type Proof, type TreeOutcome } from "../../core/evidence/evidence.ts";
import { decodeText } from "../../core/text/file-text.ts";
import { readBlob } from "../files/verified-read.ts";
import type { AskedProof, ProveInput } from "./prove.ts";
import { hashOfFiles, type TreeFiles, treesOf } from "./trees.ts";

export type DocumentProof = { proof: Proof } | { why: string; outcome?: TreeOutcome };

/** Of what is read there once. */
export function documentsOf(
  paths: Iterable<string>,
  read: (path: string) => Promise<Uint8Array | undefined>,
): Documents {
  const known = new Map<string, Promise<string | undefined>>();
  const text = async (path: string): Promise<string | undefined> => {
    const bytes = await read(path);
    return bytes && decodeText(bytes);
  };
  return {
    paths: [...paths],
    read(path) {
      const found = known.get(path) ?? text(path);
      known.set(path, found);
      return found;
    },
  };
}

/** As they are, with what this turn changed. */
export const documentsNow = ({ state }: Pick<ProveInput, "state">, work: TreeFiles): Documents =>
  documentsOf(work.keys(), (path) => state.tree.work.read(path));

export async function proveByDocuments(
  input: Pick<ProveInput, "world" | "state" | "isOfTexts">,
  { requirement, text, check }: AskedProof,
): Promise<DocumentProof> {
  const { world, state, isOfTexts } = input;
  const trees = await treesOf(input);
  const on = async (files: TreeFiles, documents: Documents): Promise<TreeOutcome> => ({
    ...(await documentOutcome(check, documents)),
    tree: hashOfFiles(files),
  });
  const work = await on(trees.work, documentsNow(input, trees.work));
  if (work.status !== "passed") return { why: `fails on the current files: ${work.detail}`, outcome: work };
  const before = documentsOf(trees.base.keys(), async (path) => {
    const sha = trees.base.get(path);
    return sha === undefined ? undefined : readBlob(world.files, state.run.id, sha);
  });
  const base = await on(trees.base, before);
  if (!isRed(base)) return { why: ALREADY };
  const there = await placeOfPassage(check, before);
  if (there) return { why: `${ALREADY}: ${there.path} said ${JSON.stringify(there.words)}` };
  const whyNot = whyNoProof(check, { text, isOfTexts, paths: [...trees.work.keys()] });
  const shown = whyNot === undefined ? { reason: REASON, noStubs: "documents" } : { reason: whyNot };
  return { proof: { requirement, check, files: [], grade: 1, ...shown, base, work } };
}

const ALREADY = "passes on the files before this instruction too: it shows nothing of the work";

const REASON = "the text is there, which does not show that it is good";
