/** The zip that a run delivered: a link to it, and single files of it. */
import { findInZip } from "../../../lib/pack/read-zip.ts";
import { ask, askBytes } from "./ask.ts";

export interface OutputLink {
  url: string;
  bytes: number;
}

export async function fileOfOutput(id: string, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const { url } = await ask<OutputLink>(`/runs/${id}/output`);
  const { origin, pathname, search } = new URL(url);
  // The policy of the page lets it ask its own server only.
  if (origin !== location.origin) throw new Error(`${name} is in the zip that Download saves.`);
  const found = findInZip("the output", await askBytes(pathname + search));
  const others = new Set(found.files.filter((file) => file.name !== name).map((file) => file.name));
  const content = (await found.read(others)).get(name);
  if (!content) throw new Error(`The output has no ${name}.`);
  return new Uint8Array(content);
}

/** It is sent as something to be saved: this page stays. */
export function openLink(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.rel = "noreferrer";
  link.download = "";
  link.click();
}
