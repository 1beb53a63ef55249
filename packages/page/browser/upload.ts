/** Files that a run starts from: chosen as a zip or a folder, checked, and sent as one zip. */
import { byteLength, decodeText } from "../../../lib/core/text/file-text.ts";
import { probableSecret, secretByForm, secretByName } from "../../../lib/core/text/secret-files.ts";
import { checkedTree } from "../../../lib/pack/checked-tree.ts";
import { LEFT_OUT } from "../../../lib/pack/found-files.ts";
import { packTree } from "../../../lib/pack/pack.ts";
import { findInZip } from "../../../lib/pack/read-zip.ts";
import { ask, isElsewhere } from "./ask.ts";

export interface ChosenTree {
  files: Map<string, Uint8Array>;
  /** Paths of files that look like secrets. */
  secrets: string[];
}

/** Of what is sent within a request. */
const BODY_BYTES = 2 * 1_048_576;

export async function readChosen(chosen: File[]): Promise<ChosenTree> {
  const [only] = chosen;
  const isZip = chosen.length === 1 && only !== undefined && only.webkitRelativePath === "";
  const found = isZip ? await filesOfZip(only) : await filesOfFolder(chosen);
  const files = new Map<string, Uint8Array>();
  const secrets: string[] = [];
  for (const [path, content] of checkedTree("The chosen files", found)) {
    if (isSecret(path, content)) secrets.push(path);
    else files.set(path, content);
  }
  return { files, secrets };
}

async function filesOfZip(zip: File): Promise<Map<string, Uint8Array>> {
  return findInZip(zip.name, new Uint8Array(await zip.arrayBuffer())).read();
}

async function filesOfFolder(chosen: File[]): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  for (const file of chosen) {
    const [, ...segments] = file.webkitRelativePath.split("/");
    if (segments.some((segment) => LEFT_OUT.has(segment))) continue;
    found.set(segments.join("/"), new Uint8Array(await file.arrayBuffer()));
  }
  return found;
}

function isSecret(path: string, content: Uint8Array): boolean {
  const text = decodeText(content);
  const kind = secretByName(path) ?? secretByForm(path, text);
  return kind !== undefined || (text !== undefined && probableSecret(text) !== undefined);
}

export interface SentTree {
  files?: { path: string; content: string }[];
  upload?: string;
}

/** Uploaded; in the request itself where the server is elsewhere, since this page may ask its own server only. */
export async function sendTree(files: Map<string, Uint8Array>): Promise<SentTree> {
  if (isElsewhere) return { files: asTexts(files) };
  const zip = packTree(
    undefined,
    [...files].map(([path, content]) => ({ path, content })),
  );
  const { id, url, headers } = await ask<UploadLink>("/uploads", { method: "POST", body: { bytes: zip.length } });
  const { pathname, search } = new URL(url);
  const stored = await fetch(pathname + search, { method: "PUT", headers, body: new Uint8Array(zip) });
  if (!stored.ok) throw new Error(`The files could not be uploaded: the server answered ${stored.status}.`);
  return { upload: id };
}

interface UploadLink {
  id: string;
  url: string;
  headers: Record<string, string>;
}

function asTexts(files: Map<string, Uint8Array>): { path: string; content: string }[] {
  const texts = [...files].map(([path, content]) => {
    const text = decodeText(content);
    if (text === undefined) throw new Error(`${path} is not text: start this run with l2mac run --remote --from.`);
    return { path, content: text };
  });
  const bytes = texts.reduce((sum, { content }) => sum + byteLength(content), 0);
  if (bytes > BODY_BYTES) throw new Error("The files are too large for a request: use l2mac run --remote --from.");
  return texts;
}
