/** The refs of a repository on a server, and the commit that a name means. */
import { GitError } from "../../lib/core/git/servers.ts";
import { MiB } from "../../lib/core/limits.ts";
import { type HashName, idBytes } from "./objects.ts";
import { DELIMITER, FLUSH, line, packetsIn, request, textOf } from "./pkt-line.ts";
import type { Remote } from "./remote.ts";

export const AGENT = "agent=l2mac";

export interface Advertisement {
  /** 2, or the protocol of older servers. */
  version: 0 | 2;
  hash: HashName;
  capabilities: ReadonlySet<string>;
  /** By full name. With version 2 they are asked for. */
  refs: Map<string, string>;
  /** The branch that HEAD names. */
  head?: string;
}

const ID = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

export function readAdvertisement(answer: Uint8Array): Advertisement {
  const packets = packetsIn(answer);
  // A line with the service, and a flush after it.
  const first = packets[0] !== undefined && textOf(packets[0]).startsWith("# service=") ? 2 : 0;
  const lines = packets.slice(first).filter((packet) => packet !== FLUSH);
  const [head = ""] = lines.map(textOf);
  if (head.startsWith("ERR ")) throw new GitError(head.slice(4), "refused");
  if (head.startsWith("version 2")) {
    const capabilities = new Set(lines.slice(1).map(textOf));
    return { version: 2, hash: hashIn(capabilities), capabilities, refs: new Map() };
  }
  return readOldForm(lines.map(textOf));
}

/** `<id> <name>\0<capabilities>` in the first line. */
function readOldForm(lines: string[]): Advertisement {
  const [first = "", ...rest] = lines.filter((text) => !text.startsWith("version ") && !text.startsWith("shallow "));
  const [ref = "", listed = ""] = first.split("\0");
  const capabilities = new Set(listed.trim().split(" ").filter(Boolean));
  const refs = new Map<string, string>();
  for (const text of [ref, ...rest]) {
    const [id = "", name = ""] = text.split(" ");
    if (ID.test(id) && name !== "" && name !== "capabilities^{}") refs.set(name, id);
  }
  const named = [...capabilities].find((each) => each.startsWith("symref=HEAD:"))?.slice("symref=HEAD:".length);
  return { version: 0, hash: hashIn(capabilities), capabilities, refs, ...headOf(named) };
}

const hashIn = (capabilities: ReadonlySet<string>): HashName =>
  capabilities.has("object-format=sha256") ? "sha256" : "sha1";

const BRANCHES = "refs/heads/";
const TAGS = "refs/tags/";

const headOf = (name: string | undefined): { head?: string } =>
  name?.startsWith(BRANCHES) ? { head: name.slice(BRANCHES.length) } : {};

export interface FoundCommit {
  commit: string;
  base?: string;
}

/** Full names that a short one can mean, the first that is there being meant. */
const candidates = (ref: string): string[] => [
  `${BRANCHES}${ref}`,
  `${TAGS}${ref}`,
  ...(/^refs\//.test(ref) ? [ref] : []),
];

export async function findCommit(
  remote: Remote,
  advertisement: Advertisement,
  ref: string | undefined,
): Promise<FoundCommit> {
  const wanted = ref === undefined ? [] : candidates(ref);
  const { refs, head } =
    advertisement.version === 2 ? await listRefs(remote, advertisement, ["HEAD", ...wanted]) : advertisement;
  const base = head === undefined ? {} : { base: head };
  if (ref === undefined) {
    const commit = refs.get("HEAD");
    if (commit !== undefined) return { commit, ...base };
    throw new GitError("the repository is empty: it has no commit to start from", "refused");
  }
  const name = wanted.find((each) => refs.has(each));
  if (name === undefined && ID.test(ref) && ref.length === idBytes(advertisement.hash) * 2)
    return { commit: ref, ...base };
  if (name === undefined) throw noRef(ref);
  // Of a tag that is an object of its own, what it names.
  const commit = refs.get(`${name}^{}`) ?? refs.get(name) ?? "";
  return { commit, ...(name.startsWith(BRANCHES) ? { base: name.slice(BRANCHES.length) } : base) };
}

const noRef = (ref: string): GitError => {
  const short = /^[0-9a-f]{4,63}$/.test(ref) ? "; of the id of a commit, give all digits" : "";
  return new GitError(`it has no branch and no tag ${ref}${short}`, "refused");
};

const REFS_BYTES = 32 * MiB;

async function listRefs(
  remote: Remote,
  { hash }: Advertisement,
  names: string[],
): Promise<Pick<Advertisement, "refs" | "head">> {
  const prefixes = names.map((name) => line(`ref-prefix ${name}\n`));
  const asked = request(
    ...[line("command=ls-refs\n"), line(`${AGENT}\n`), line(`object-format=${hash}\n`), DELIMITER],
    ...[line("peel\n"), line("symrefs\n"), ...prefixes, FLUSH],
  );
  const answer = await remote.call("git-upload-pack", asked, REFS_BYTES);
  const refs = new Map<string, string>();
  let head: string | undefined;
  for (const text of packetsIn(answer).map(textOf)) {
    if (text.startsWith("ERR ")) throw new GitError(text.slice(4), "refused");
    const [id = "", name = "", ...attributes] = text.split(" ");
    if (!ID.test(id)) continue;
    refs.set(name, id);
    for (const attribute of attributes) {
      const [key, value = ""] = attribute.split(/:(.*)/s);
      if (key === "peeled" && ID.test(value)) refs.set(`${name}^{}`, value);
      if (key === "symref-target" && name === "HEAD") head = value;
    }
  }
  return { refs, ...headOf(head) };
}
