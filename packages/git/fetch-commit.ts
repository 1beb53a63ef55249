/** Fetches one commit with its tree and without its history, by protocol 2 or by that of older servers. */
import { GitError } from "../../lib/core/git/servers.ts";
import { TREE_PACKED_BYTES } from "../../lib/core/limits.ts";
import { bandsOf, DELIMITER, FLUSH, line, type Packet, packetsIn, request, textOf } from "./pkt-line.ts";
import { type Objects, readPack } from "./read-pack.ts";
import { type Advertisement, AGENT } from "./refs.ts";
import type { Remote } from "./remote.ts";

/** What a pack may have: as much as a packed tree. */
export const PACK_BYTES = TREE_PACKED_BYTES;

export interface FetchLimits {
  packBytes?: number;
  objectBytes?: number;
}

export async function fetchCommit(
  remote: Remote,
  { advertisement, commit }: { advertisement: Advertisement; commit: string },
  { packBytes = PACK_BYTES, objectBytes }: FetchLimits = {},
): Promise<Objects> {
  const { version, hash, capabilities } = advertisement;
  const asked = version === 2 ? newRequest(commit, advertisement) : oldRequest(commit, capabilities);
  const packets = packetsIn(await remote.call("git-upload-pack", asked, packBytes));
  const said = packets.map((packet) => (packet.length > MESSAGE_BYTES ? "" : textOf(packet)));
  const error = said.find((text) => text.startsWith("ERR "));
  if (error !== undefined) throw refusedCommit(error.slice(4), commit);
  const { data } = bandsOf(version === 2 ? afterHeading(packets, said) : afterAnswer(packets, said));
  return readPack(data, hash, objectBytes);
}

const MESSAGE_BYTES = 4_096;

const refusedCommit = (said: string, commit: string): GitError =>
  new GitError(/not our ref|unadvertised/.test(said) ? `it has no commit ${commit}` : said, "refused");

const newRequest = (commit: string, { hash }: Advertisement): Uint8Array =>
  request(
    ...[line("command=fetch\n"), line(`${AGENT}\n`), line(`object-format=${hash}\n`), DELIMITER],
    ...[line("no-progress\n"), line("ofs-delta\n"), line("deepen 1\n")],
    ...[line(`want ${commit}\n`), line("done\n"), FLUSH],
  );

const WANTED = ["side-band-64k", "ofs-delta", "no-progress"];

function oldRequest(commit: string, capabilities: ReadonlySet<string>): Uint8Array {
  const able = WANTED.filter((name) => capabilities.has(name));
  if (!able.includes("side-band-64k") || !capabilities.has("shallow"))
    throw new GitError("its protocol is too old: it cannot send a commit without its history", "refused");
  const wish = line(`want ${commit} ${[...able, AGENT].join(" ")}\n`);
  return request(wish, line("deepen 1\n"), FLUSH, line("done\n"));
}

/** Sections, the last of which is the pack. */
function afterHeading(packets: Packet[], said: string[]): Packet[] {
  const at = said.indexOf("packfile");
  if (at === -1) throw new GitError("it sent no pack", "temporary");
  return packets.slice(at + 1);
}

/** Shallow commits, a flush, and `NAK`. */
function afterAnswer(packets: Packet[], said: string[]): Packet[] {
  const at = said.indexOf("NAK");
  if (at === -1) throw new GitError("it sent no pack", "temporary");
  return packets.slice(at + 1);
}
