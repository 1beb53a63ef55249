/** Leaves out of files to start from what a model must not see, and what stands for a file that is elsewhere. */
import { decodeText } from "../core/text/file-text.ts";
import { probableSecret, secretByForm, secretByName } from "../core/text/secret-files.ts";
import { LINKS_FILE, linksIn, textOfLinks } from "../core/text/tree-links.ts";
import { checkedPaths, checkedTree, refuseTooMuch } from "../pack/checked-tree.ts";
import type { FoundFiles, LeftOut } from "../pack/found-files.ts";

export interface Sharing {
  /** What the files are called for the user. */
  from: string;
  /** The folders that they lie in: a name may be a secret only there. */
  above: string;
  /** Files with secrets in their text are taken all the same. */
  allowSecrets: boolean;
}

export interface SharedFiles {
  files: Map<string, Uint8Array>;
  leftOut: LeftOut[];
}

export async function withhold(found: FoundFiles, { from, above, allowSecrets }: Sharing): Promise<SharedFiles> {
  const wholeOf = (path: string): string => (above === "" ? path : `${above}/${path}`);
  const byName = found.files.flatMap(({ name: path }): LeftOut[] => {
    const reason = secretByName(wholeOf(path));
    return reason === undefined ? [] : [{ path, reason }];
  });
  const except = new Set(byName.map(({ path }) => path));
  const rest = found.files.filter(({ name }) => !except.has(name));
  refuseTooMuch(from, rest);
  // Before they are read: names are refused without a look inside.
  checkedPaths(from, rest);
  const contents = await found.read(except);
  const byContent = [...contents].flatMap(([path, content]): LeftOut[] => {
    const text = scannedText(content);
    const reason = secretByForm(wholeOf(path), text);
    if (reason !== undefined) return [{ path, reason }];
    if (text === undefined) return [];
    if (isPointer(text)) return [{ path, reason: "LFS pointer" }];
    const secret = allowSecrets ? undefined : probableSecret(text);
    return secret ? [{ path, reason: "secret", detail: secret.kind, line: secret.line }] : [];
  });
  for (const { path } of byContent) contents.delete(path);
  const gone = [...byName, ...byContent];
  const links = withoutLinksTo(contents, new Set(gone.map(({ path }) => path)));
  return { files: checkedTree(from, contents), leftOut: [...found.leftOut, ...gone, ...links] };
}

/** Text in an old encoding is searched too. */
function scannedText(content: Uint8Array): string | undefined {
  const text = decodeText(content);
  if (text !== undefined) return text;
  if (content[0] === 0xff && content[1] === 0xfe) return new TextDecoder("utf-16le").decode(content);
  return content.includes(0) ? undefined : new TextDecoder("latin1").decode(content);
}

const POINTER_BYTES = 1_024;

/** Git LFS keeps such a text in the place of a file. */
export const isPointer = (text: string): boolean =>
  text.length < POINTER_BYTES && /^version https:\/\/\S+\/spec\/v1\n(?:.*\n)*?oid sha256:[0-9a-f]{64}\n/.test(text);

/** Takes links to files that are gone from the list of links. */
function withoutLinksTo(contents: Map<string, Uint8Array>, gone: ReadonlySet<string>): LeftOut[] {
  const list = contents.get(LINKS_FILE);
  if (!list || gone.size === 0) return [];
  const links = linksIn(decodeText(list) ?? "", []);
  const lost = links.filter(({ path, target }) => gone.has(ledTo(path, target)));
  if (lost.length === 0) return [];
  const kept = links.filter((link) => !lost.includes(link));
  if (kept.length === 0) contents.delete(LINKS_FILE);
  else contents.set(LINKS_FILE, new TextEncoder().encode(textOfLinks(kept)));
  return lost.map(({ path }) => ({ path, reason: "link", detail: "a symbolic link to a file that is left out" }));
}

/** Of a target that goes up only at first. */
function ledTo(path: string, target: string): string {
  const folders = path.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") folders.pop();
    else if (part !== "" && part !== ".") folders.push(part);
  }
  return folders.join("/");
}
