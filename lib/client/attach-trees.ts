/** Attaches trees of files to a submission: in the request where they are small text, else uploaded before it. */
import type { z } from "zod";
import type { SubmissionBody } from "../api/submission-body.ts";
import { KiB } from "../core/limits.ts";
import { decodeText } from "../core/text/file-text.ts";
import { UploadLink } from "./answers.ts";
import { type ApiCall, type AskParts, openLink } from "./ask.ts";
import { retried } from "./retried.ts";

export type Tree = Map<string, Uint8Array>;

/** What a run starts from, and the tests that it must pass. */
export interface Trees {
  files?: Tree | undefined;
  tests?: Tree | undefined;
}

export interface AttachParts extends Pick<AskParts, "address" | "send" | "sleep" | "random"> {
  post: <S extends z.ZodType>(schema: S, asking: ApiCall) => Promise<z.infer<S>>;
  /** Hands a tree over as it is, to an API in this process; answers the id by which a submission names it. */
  keepTree?: ((tree: Tree) => string) | undefined;
}

type Attached = Pick<SubmissionBody, "files" | "tests" | "uploads">;

export async function attachTrees(parts: AttachParts, trees: Trees): Promise<Attached> {
  const attached: Attached = {};
  for (const name of ["files", "tests"] as const) {
    const tree = trees[name];
    const inline = tree && !parts.keepTree ? inlined(tree) : undefined;
    if (inline) attached[name] = inline;
    else if (tree)
      attached.uploads = { ...attached.uploads, [name]: parts.keepTree?.(tree) ?? (await upload(parts, tree)) };
  }
  return attached;
}

/** As much as goes along with a task without another request, files and tests each. */
const INLINE_BYTES = 256 * KiB;

/** Undefined: it is too much, or not all of it is text. */
function inlined(tree: Tree): { path: string; content: string }[] | undefined {
  const bytes = [...tree.values()].reduce((sum, content) => sum + content.length, 0);
  if (bytes > INLINE_BYTES) return undefined;
  const files = [...tree].flatMap(([path, bytes]) => {
    const content = decodeText(bytes);
    return content === undefined ? [] : [{ path, content }];
  });
  return files.length === tree.size ? files : undefined;
}

const ANSWER_BYTES = 64 * KiB;

/** Answers the id under which a submission names it. */
async function upload(parts: AttachParts, tree: Tree): Promise<string> {
  const { packTree } = await import("../pack/pack.ts");
  const zip = packTree(
    undefined,
    [...tree].map(([path, content]) => ({ path, content })),
  );
  return retried(parts, async () => {
    const { id, url, headers } = await parts.post(UploadLink, { path: "/uploads", body: { bytes: zip.length } });
    await openLink(parts, url, { method: "PUT", body: zip, headers: headers ?? {}, bytesAtMost: ANSWER_BYTES });
    return id;
  });
}

/** For a server in the same process. Answers the id under which the tree is found. */
export function keepTree(trees: Map<string, Tree>, tree: Tree): string {
  const id = crypto.randomUUID();
  trees.set(id, tree);
  return id;
}
