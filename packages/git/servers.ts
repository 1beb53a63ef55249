/** Git servers over HTTPS, without a Git program: fetches what a run starts from, pushes what it has made. */

import { type GitOrigin, gitAddressOf } from "../../lib/core/git/origin.ts";
import {
  type FetchedCommit,
  GitError,
  type GitServers,
  type GitStep,
  type Push,
  type PushRequest,
  type PushResult,
} from "../../lib/core/git/servers.ts";
import { oneLine } from "../../lib/core/text/cut.ts";
import { sanitizeLine } from "../../lib/core/text/sanitize.ts";
import { withhold } from "../../lib/files/withhold.ts";
import { type CommittedSteps, commitSteps } from "./commit-steps.ts";
import { type FetchLimits, fetchCommit } from "./fetch-commit.ts";
import { findInCommit } from "./find-files.ts";
import { openPullRequest } from "./github.ts";
import { createExchange, type Exchange, type HttpParts } from "./http.ts";
import { type HashName, hashOfId } from "./objects.ts";
import { decodeOutline, encodeOutline, outlineOf } from "./outline.ts";
import { pushCommits } from "./push-commits.ts";
import { type FoundCommit, findCommit, readAdvertisement } from "./refs.ts";
import { createRemote, type Remote } from "./remote.ts";
import type { GitHost } from "./tokens.ts";
import { writePack } from "./write-pack.ts";

export interface GitServersParts extends HttpParts {
  /** Of the host of an address: its token, where there is one for it. */
  hostOf: (host: string) => Promise<GitHost | undefined>;
  /** The exchanges of a fetch or a push take no longer. */
  wholeMs?: number;
  limits?: FetchLimits;
}

const WHOLE_MS = 240_000;
const WORDS_CHARS = 500;

/** What only this computer needs besides. */
export interface OpenGitServers extends GitServers {
  /** The commit with its tree, as a pack. */
  pack(origin: Pick<GitOrigin, "url" | "ref">, signal: AbortSignal): Promise<Buffer>;
  /** Builds the commits and pushes them, once. */
  push(request: PushRequest, signal: AbortSignal): Promise<PushResult>;
}

export function createGitServers(parts: GitServersParts): OpenGitServers {
  const exchange = createExchange(parts);
  const at = async <T>(
    { url, ref, signal }: { url: string; ref?: string | undefined; signal: AbortSignal },
    work: (server: OpenServer) => Promise<T>,
  ): Promise<T> => {
    const within = AbortSignal.any([signal, AbortSignal.timeout(parts.wholeMs ?? WHOLE_MS)]);
    let masked = (text: string): string => text;
    try {
      const host = await parts.hostOf(new URL(url).host);
      const remote = createRemote({ url, token: host?.token, exchange, signal: within });
      masked = remote.masked;
      return await work({ remote, host, exchange, signal: within });
    } catch (error) {
      throw placed(error, { url, ref, masked });
    }
  };
  const hashOf = async ({ url, start }: PushRequest, signal: AbortSignal): Promise<HashName> =>
    start
      ? hashOfId(start.commit)
      : at({ url, signal }, async ({ remote }) => readAdvertisement(await remote.advertise("git-receive-pack")).hash);
  const prepare = async (request: PushRequest, signal: AbortSignal): Promise<Push> => {
    const { start, before, steps, url } = request;
    const outline = start && { commit: start.commit, outline: decodeOutline(start.outline) };
    const hash = await hashOf(request, signal);
    const chain = { hash, start: outline, before, steps: until(signal, steps) };
    // Reading the trees of all steps is no exchange: it takes its time.
    const commits = await commitSteps(chain).catch((error: unknown) => {
      throw placed(error, { url });
    });
    return (during) => at({ url, signal: during }, (server) => push(server, request, { ...commits, hash }));
  };
  return {
    resolve: (origin, signal) =>
      at({ ...origin, signal }, async ({ remote }) =>
        findCommit(remote, readAdvertisement(await remote.advertise("git-upload-pack")), origin.ref),
      ),
    fetch: (origin, signal) => at({ ...origin, signal }, (server) => fetchStart(server, origin, parts.limits)),
    pack: (origin, signal) =>
      at({ ...origin, signal }, async (server) => {
        const { commit, objects } = await fetchObjects(server, origin, parts.limits);
        return writePack([...objects.values()], hashOfId(commit));
      }),
    prepare,
    push: async (request, signal) => (await prepare(request, signal))(signal),
  };
}

interface Place {
  url: string;
  ref?: string | undefined;
  masked?: (text: string) => string;
}

/** With the address, which has no secret in it. What a server says could repeat one, between control characters too. */
function placed(error: unknown, { url, ref, masked = (text) => text }: Place): unknown {
  if (!(error instanceof GitError)) return error;
  const said = oneLine(masked(sanitizeLine(error.message)), WORDS_CHARS);
  return new GitError(`${gitAddressOf({ url, ref })}: ${said}.`, error.kind, error.cause);
}

async function* until(signal: AbortSignal, steps: PushRequest["steps"]): AsyncIterable<GitStep> {
  for await (const step of steps) {
    signal.throwIfAborted();
    yield step;
  }
}

interface OpenServer {
  remote: Remote;
  host: GitHost | undefined;
  exchange: Exchange;
  signal: AbortSignal;
}

async function fetchObjects(
  { remote }: OpenServer,
  { ref, resolved }: Pick<GitOrigin, "ref" | "resolved">,
  limits: FetchLimits | undefined,
) {
  const advertisement = readAdvertisement(await remote.advertise("git-upload-pack"));
  const found: FoundCommit =
    resolved === undefined ? await findCommit(remote, advertisement, ref) : { commit: resolved };
  return { ...found, objects: await fetchCommit(remote, { advertisement, commit: found.commit }, limits) };
}

async function fetchStart(
  server: OpenServer,
  origin: Pick<GitOrigin, "url" | "ref" | "allowSecrets" | "resolved">,
  limits: FetchLimits | undefined,
): Promise<FetchedCommit> {
  const { commit, base, objects } = await fetchObjects(server, origin, limits);
  const outline = outlineOf(objects, commit);
  const from = gitAddressOf(origin);
  const shared = await withhold(findInCommit(outline, objects), {
    from,
    above: "",
    allowSecrets: origin.allowSecrets === true,
  });
  return { commit, ...(base === undefined ? {} : { base }), ...shared, outline: encodeOutline(outline) };
}

async function push(
  { remote, host, exchange, signal }: OpenServer,
  { name, url, pullRequest }: PushRequest,
  { tip, objects, kept, steps: count, hash }: CommittedSteps & { hash: HashName },
): Promise<PushResult> {
  if (tip === undefined) throw new GitError("no step was accepted: there is nothing to push", "refused");
  const branch = await pushCommits(remote, { tip, objects, name, hash });
  const pushed = { branch, commit: tip, steps: count, kept };
  if (!pullRequest || !host?.api) return pushed;
  const { base, ...text } = pullRequest;
  try {
    const asked = { api: host.api, token: host.token, url, head: branch, base, text, exchange, signal };
    return { ...pushed, pullRequest: await openPullRequest(asked) };
  } catch (error) {
    // The branch is there: what is missing can be made by hand.
    if (error instanceof GitError) return { ...pushed, note: `There is no pull request: ${error.message}.` };
    throw error;
  }
}
