/** A repository on a server, over Git's smart protocol: who asks, where redirects may lead, what refusals mean. */
import { GitError } from "../../lib/core/git/servers.ts";
import { MiB } from "../../lib/core/limits.ts";
import { oneLine } from "../../lib/core/text/cut.ts";
import { sanitizeLine } from "../../lib/core/text/sanitize.ts";
import type { Exchange, HttpAnswer, HttpCall } from "./http.ts";

export type Service = "git-upload-pack" | "git-receive-pack";

export interface Remote {
  /** The first answer: what the server can do, and its refs. */
  advertise(service: Service): Promise<Buffer>;
  call(service: Service, body: Uint8Array, bytesAtMost: number): Promise<Buffer>;
  /** Text of the server without the token, for messages. */
  masked(text: string): string;
}

export interface RemoteParts {
  url: string;
  /** `token` or `user:token`. Only for the host of the URL. */
  token: string | undefined;
  exchange: Exchange;
  signal: AbortSignal;
}

const REFS_BYTES = 32 * MiB;
const REDIRECTS = 3;
/** Hosting services take any user beside a token. */
const ANY_USER = "x-access-token";
const VERSION = { "git-protocol": "version=2" };

export function createRemote({ url, token, exchange, signal }: RemoteParts): Remote {
  let base = url;
  const pair = token === undefined ? undefined : token.includes(":") ? token : `${ANY_USER}:${token}`;
  const basic = pair === undefined ? undefined : Buffer.from(pair).toString("base64");
  const authorization: Record<string, string> = basic === undefined ? {} : { authorization: `Basic ${basic}` };
  const masked = maskOf([token, token?.split(":").at(-1), basic]);
  const send = async (call: Omit<HttpCall, "signal">): Promise<HttpAnswer> =>
    exchange({ ...call, headers: { ...authorization, ...call.headers }, signal });

  async function advertise(service: Service): Promise<Buffer> {
    const suffix = `/info/refs?service=${service}`;
    for (let redirects = 0; ; redirects += 1) {
      const headers = service === "git-upload-pack" ? VERSION : {};
      const asked = new URL(`${base}${suffix}`);
      const answer = await send({ url: asked, method: "GET", headers, bytesAtMost: REFS_BYTES });
      const { location } = answer.headers;
      if (answer.status >= 300 && answer.status < 400 && location !== undefined && redirects < REDIRECTS) {
        base = redirected({ asked, location, suffix });
        continue;
      }
      refuseFailed(answer, { hasToken: token !== undefined, masked });
      if (!String(answer.headers["content-type"]).startsWith(`application/x-${service}-advertisement`))
        throw new GitError("there is no Git repository that can be read over HTTP", "refused");
      return answer.body;
    }
  }

  async function call(service: Service, body: Uint8Array, bytesAtMost: number): Promise<Buffer> {
    const headers = {
      ...(service === "git-upload-pack" ? VERSION : {}),
      "content-type": `application/x-${service}-request`,
      accept: `application/x-${service}-result`,
    };
    const answer = await send({ url: new URL(`${base}/${service}`), method: "POST", headers, body, bytesAtMost });
    refuseFailed(answer, { hasToken: token !== undefined, masked });
    return answer.body;
  }

  return { advertise, call, masked };
}

/** Within the same server, as from `repo` to `repo.git`: the token is for it alone. */
function redirected({ asked, location, suffix }: { asked: URL; location: string; suffix: string }): string {
  const to = URL.canParse(location, asked.href) ? new URL(location, asked.href) : undefined;
  if (to?.origin !== asked.origin) {
    const where = to === undefined ? "elsewhere" : `to ${sanitizeLine(to.host)}`;
    throw new GitError(`it redirects ${where}, and redirects to another host are not followed`, "refused");
  }
  const path = `${to.pathname}${to.search}`;
  if (!path.endsWith(suffix)) throw new GitError("it redirects to what is no Git repository", "refused");
  return `${to.origin}${path.slice(0, -suffix.length)}`;
}

interface AnswerReading {
  hasToken: boolean;
  masked: (text: string) => string;
}

export function refuseFailed({ status, headers, body }: HttpAnswer, { hasToken, masked }: AnswerReading): void {
  if (status >= 200 && status < 300) return;
  const said = /^text\/plain|json/.test(String(headers["content-type"])) ? wordsIn(body, masked) : "";
  const words = said === "" ? "" : ` (${said})`;
  if (status === 401 || status === 403) {
    const what = hasToken ? `it refuses the token: ${status}` : `it wants a token, and there is none for it: ${status}`;
    throw new GitError(`${what}${words}`, "credentials");
  }
  if (status === 404) {
    const unseen = hasToken ? ", or the token may not see it" : ", or it is not public and there is no token for it";
    throw new GitError(`there is no such repository${unseen}: 404${words}`, "credentials");
  }
  const isTemporary = status === 408 || status === 429 || status >= 500;
  throw new GitError(`it answered ${status}${words}`, isTemporary ? "temporary" : "refused");
}

const WORDS_CHARS = 300;

const wordsIn = (body: Uint8Array, masked: (text: string) => string): string =>
  oneLine(masked(Buffer.from(body).toString("utf8")), WORDS_CHARS);

/** A server can repeat what it was sent. */
const maskOf =
  (secrets: (string | undefined)[]) =>
  (text: string): string =>
    secrets.reduce<string>((masked, secret) => (secret ? masked.replaceAll(secret, "***") : masked), text);
