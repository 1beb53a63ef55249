/** Git servers over HTTPS, without a Git program: fetches what a run starts from, pushes what it has made. */

import { type GitOrigin, gitAddressOf } from "../core/git/origin.ts";
import {
  type FetchedCommit,
  GitError,
  type GitServers,
  type PushRequest,
  type PushResult,
} from "../core/git/servers.ts";
import { withhold } from "../files/withhold.ts";
import { commitSteps } from "./commit-steps.ts";
import { type FetchLimits, fetchCommit } from "./fetch-commit.ts";
import { findInCommit } from "./find-files.ts";
import { openPullRequest } from "./github.ts";
import { createExchange, type Exchange, type HttpParts } from "./http.ts";
import { hashOfId } from "./objects.ts";
import { decodeOutline, encodeOutline, outlineOf } from "./outline.ts";
import { pushCommits } from "./push-commits.ts";
import { findCommit, readAdvertisement } from "./refs.ts";
import { createRemote, type Remote } from "./remote.ts";
import type { GitHost } from "./tokens.ts";
import { writePack } from "./write-pack.ts";

export interface GitServersParts extends HttpParts {
  /** Of the host of an address: its token, where there is one for it. */
  hostOf: (host: string) => Promise<GitHost | undefined>;
  /** A fetch or a push takes no longer. */
  wholeMs?: number;
  limits?: FetchLimits;
}

const WHOLE_MS = 240_000;

/** What only this computer needs besides. */
export interface OpenGitServers extends GitServers {
  /** The commit with its tree, as a pack. */
  pack(origin: Pick<GitOrigin, "url" | "ref">, signal: AbortSignal): Promise<Buffer>;
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
      if (!(error instanceof GitError)) throw error;
      // The address has no secret in it; what a server says could repeat one.
      throw new GitError(`${gitAddressOf({ url, ref })}: ${masked(error.message)}.`, error.kind, error.cause);
    }
  };
  return {
    fetch: (origin, signal) => at({ ...origin, signal }, (server) => fetchStart(server, origin, parts.limits)),
    pack: (origin, signal) =>
      at({ ...origin, signal }, async (server) => {
        const { commit, objects } = await fetchObjects(server, origin.ref, parts.limits);
        return writePack([...objects.values()], hashOfId(commit));
      }),
    push: (request, signal) => at({ url: request.url, signal }, (server) => push(server, request)),
  };
}

interface OpenServer {
  remote: Remote;
  host: GitHost | undefined;
  exchange: Exchange;
  signal: AbortSignal;
}

async function fetchObjects({ remote }: OpenServer, ref: string | undefined, limits: FetchLimits | undefined) {
  const advertisement = readAdvertisement(await remote.advertise("git-upload-pack"));
  const found = await findCommit(remote, advertisement, ref);
  return { ...found, objects: await fetchCommit(remote, { advertisement, commit: found.commit }, limits) };
}

async function fetchStart(
  server: OpenServer,
  origin: Pick<GitOrigin, "url" | "ref" | "allowSecrets">,
  limits: FetchLimits | undefined,
): Promise<FetchedCommit> {
  const { commit, base, objects } = await fetchObjects(server, origin.ref, limits);
  const outline = outlineOf(objects, commit);
  const from = gitAddressOf(origin);
  const shared = await withhold(findInCommit(outline, objects), {
    ...{ from, above: "", allowSecrets: origin.allowSecrets === true },
  });
  return { commit, ...(base === undefined ? {} : { base }), ...shared, outline: encodeOutline(outline) };
}

async function push({ remote, host, exchange, signal }: OpenServer, request: PushRequest): Promise<PushResult> {
  const { name, start, before, steps, url, pullRequest } = request;
  const outline = start && { commit: start.commit, outline: decodeOutline(start.outline) };
  const hash = start ? hashOfId(start.commit) : readAdvertisement(await remote.advertise("git-receive-pack")).hash;
  const { tip, objects, kept, steps: count } = await commitSteps({ hash, start: outline, before, steps });
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
