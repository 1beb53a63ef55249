/** The Git repository that a run starts from, on a server: its address, what was fetched of it, and what was pushed. Pure. */
import * as z from "zod";

const id = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);

/** What a push left on the server. */
export const PushedBranch = z.object({
  branch: z.string(),
  commit: id,
  /** Its address. Absent: there is none. */
  pullRequest: z.string().optional(),
});
export type PushedBranch = z.infer<typeof PushedBranch>;

export const GitOrigin = z.object({
  /** `https://host/owner/repo`, without a user, a password, a query or a fragment. */
  url: z.string(),
  /** A branch, a tag, or the whole id of a commit. Absent: the branch that the server's HEAD names. */
  ref: z.string().optional(),
  /** Files in whose text secrets were found are taken all the same. */
  allowSecrets: z.literal(true).optional(),
  /** The commit that the address meant when the run began, until it is fetched: every attempt fetches the same one. */
  resolved: id.optional(),
  /** The commit that was fetched. Absent: nothing was fetched yet. */
  commit: id.optional(),
  /** The branch that the run's branch can be merged into. Absent: the server has none. */
  base: z.string().optional(),
  /** The run's commits are pushed when it is delivered. */
  push: z.literal(true).optional(),
  pushed: PushedBranch.optional(),
});
export type GitOrigin = z.infer<typeof GitOrigin>;

export interface GitAddress {
  url: string;
  ref?: string;
}

const URL_CHARS = 500;
const REF_CHARS = 250;

/** Whether it can only mean a repository on a server, and no path of this computer. */
export const isGitAddress = (text: string): boolean =>
  /^(https?|ssh|git):\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text);

/** Reads `https://host/owner/repo[#branch|tag|commit]`. `problem`: what is wrong with it, without the address itself. */
export function readGitAddress(text: string): GitAddress | { problem: string } {
  const at = text.indexOf("#");
  const [address, ref] = at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  if (!/^https?:\/\//i.test(address)) return { problem: "only addresses with https:// are fetched" };
  if (address.length > URL_CHARS || !URL.canParse(address)) return { problem: "it is no address" };
  const url = new URL(address);
  // What is in an address is stored, shown and logged.
  if (url.username !== "" || url.password !== "") return { problem: "it has a user or a password in it" };
  if (url.search !== "") return { problem: "it has a query in it" };
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  if (path === "") return { problem: "it names a server, and no repository" };
  if (ref !== undefined && !isRefName(ref)) return { problem: "after # comes a branch, a tag or the id of a commit" };
  return { url: `${url.origin}${path}`, ...(ref === undefined ? {} : { ref }) };
}

/** As Git's own rules for names of refs, as far as they keep a name from meaning something else. */
const isRefName = (ref: string): boolean =>
  ref.length <= REF_CHARS &&
  /^[^\s\p{Cc}~^:?*[\\]+$/u.test(ref) &&
  !/^[-/]|\.\.|@\{|\/\/|\.lock(\/|$)|(^|\/)\.|[/.]$/.test(ref);

/** As a user would write it. */
export const gitAddressOf = ({ url, ref }: Pick<GitOrigin, "url" | "ref">): string =>
  ref === undefined ? url : `${url}#${ref}`;
