/** Pushes commits to a new branch: never over another one, and once, however often it is repeated. */
import { GitError } from "../../lib/core/git/servers.ts";
import { MiB } from "../../lib/core/limits.ts";
import { branchName } from "../../lib/core/run/run-branch.ts";
import { oneLine } from "../../lib/core/text/cut.ts";
import { type GitObject, type HashName, noId } from "./objects.ts";
import { bandsOf, FLUSH, line, packetsIn, request, textOf } from "./pkt-line.ts";
import { type Advertisement, AGENT, readAdvertisement } from "./refs.ts";
import type { Remote } from "./remote.ts";
import { writePack } from "./write-pack.ts";

export interface PushedCommits {
  tip: string;
  objects: readonly GitObject[];
  /** The run's. */
  name: string;
  /** In which the commits were written. */
  hash: HashName;
}

const BRANCHES = "refs/heads/";
/** Others may take the name between the look at the branches and the push. */
const ATTEMPTS = 3;
const ANSWER_BYTES = MiB;

/** Answers the branch that names the tip. */
export async function pushCommits(remote: Remote, { tip, objects, name, hash }: PushedCommits): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const advertisement = readAdvertisement(await remote.advertise("git-receive-pack"));
    if (advertisement.hash !== hash)
      throw new GitError(`its repository has ids of ${advertisement.hash}, and the commits have ${hash}`, "refused");
    const { branch, isThere } = chooseBranch(advertisement.refs, { name, tip });
    if (isThere) return branch;
    const refused = await push(remote, { advertisement, branch, tip, pack: writePack(objects, hash) });
    if (refused === undefined) return branch;
    const after = readAdvertisement(await remote.advertise("git-receive-pack")).refs.get(`${BRANCHES}${branch}`);
    if (after === tip) return branch;
    if (after === undefined || attempt === ATTEMPTS) throw new GitError(refused, "refused");
  }
}

/** Also the name of an earlier push, whose answer was lost. */
function chooseBranch(
  refs: ReadonlyMap<string, string>,
  { name, tip }: { name: string; tip: string },
): { branch: string; isThere: boolean } {
  const isTaken = refs.has(`${BRANCHES}l2mac`);
  for (let count = 1; ; count += 1) {
    const branch = branchName(name, { isTaken, count });
    const there = refs.get(`${BRANCHES}${branch}`);
    if (there === undefined || there === tip) return { branch, isThere: there === tip };
  }
}

interface Push {
  advertisement: Advertisement;
  branch: string;
  tip: string;
  pack: Uint8Array;
}

const WANTED = ["report-status", "side-band-64k"];

/** Answers why it was refused, in the server's words. Only a branch that is not there is made. */
async function push(remote: Remote, { advertisement, branch, tip, pack }: Push): Promise<string | undefined> {
  const { capabilities, hash } = advertisement;
  const able = WANTED.filter((each) => capabilities.has(each));
  const format = hash === "sha256" ? ["object-format=sha256"] : [];
  const command = `${noId(hash)} ${tip} ${BRANCHES}${branch}\0 ${[...able, ...format, AGENT].join(" ")}`;
  const answer = await remote.call("git-receive-pack", request(line(command), FLUSH, pack), ANSWER_BYTES);
  const packets = packetsIn(answer);
  const { data, words } = able.includes("side-band-64k") ? bandsOf(packets) : { data: answer, words: "" };
  return refusalIn(packetsIn(data).map(textOf), remote.masked(words));
}

function refusalIn(report: string[], words: string): string | undefined {
  const unpacked = report.find((text) => text.startsWith("unpack "));
  const refused = report.find((text) => text.startsWith("ng "));
  if (unpacked === "unpack ok" && refused === undefined) return undefined;
  const reason =
    refused === undefined || unpacked !== "unpack ok"
      ? (unpacked ?? "it did not say whether it took the commits")
      : refused.split(" ").slice(2).join(" ");
  const said = oneLine(words.replace(/^remote: /gm, ""), WORDS_CHARS);
  return `it refuses the push: ${oneLine(reason, WORDS_CHARS)}${said === "" ? "" : ` (${said})`}`;
}

const WORDS_CHARS = 500;
