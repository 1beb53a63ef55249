/**
 * A file that leads a browser to an address. What programs are started with stands in the list of processes, where
 * everybody on the computer reads it: so a browser is started with the file's own address, and only its user can read it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export interface OpeningFile {
  url: string;
  remove(): void;
}

export function makeOpeningFile(address: string): OpeningFile {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-open-"));
  const path = join(folder, "open.html");
  writeFileSync(path, pageTo(address.replaceAll("&", "&amp;")), { mode: 0o600, flag: "wx" });
  return { url: pathToFileURL(path).href, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const pageTo = (address: string): string => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>L2MAC</title>
<p><a href="${address}">Open the page</a></p>
`;
