/** Fetches from a registry, and from where it sends on, with its credentials where they belong and nowhere else. */
import { Agent, type IncomingMessage, request as plainRequest } from "node:http";
import { request, Agent as SecureAgent } from "node:https";
import { authoritiesOf, pemOf, type Registry } from "./registry.ts";

export interface Upstream {
  /** The answer, and the address that it came from in the end. */
  fetch(url: URL, asked: UpstreamRequest): Promise<{ answer: IncomingMessage; url: URL }>;
  close(): void;
}

export interface UpstreamRequest {
  method: "GET" | "HEAD";
  headers: Record<string, string>;
}

const REDIRECTS = 5;
const SILENCE_MS = 20_000;

export function openUpstream({ way, credentials }: Registry): Upstream {
  const common = { keepAlive: true, proxyEnv: way.proxy, timeout: SILENCE_MS };
  const own = { ...(way.certificate ? { cert: pemOf(way.certificate), key: pemOf(way.key ?? way.certificate) } : {}) };
  const agent = new Agent(common);
  const secure = new SecureAgent({ ...common, ...own, ca: authoritiesOf(way) });
  const isChecked = ({ hostname, host }: URL): boolean =>
    !["*", hostname, host].some((one) => way.unchecked.includes(one));
  const ask = (url: URL, { method, headers }: UpstreamRequest): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { authorization } = credentials.find(({ below }) => url.href.startsWith(below)) ?? {};
      const all = { ...headers, ...(authorization ? { authorization } : {}) };
      const sent =
        url.protocol === "https:"
          ? request(url, { method, headers: all, agent: secure, rejectUnauthorized: isChecked(url) })
          : plainRequest(url, { method, headers: all, agent });
      sent.once("response", resolve).once("error", reject);
      sent.setTimeout(SILENCE_MS, () => sent.destroy(new Error("it does not answer")));
      sent.end();
    });
  return {
    async fetch(url, asked) {
      let at = url;
      for (let count = 0; count <= REDIRECTS; count += 1) {
        const answer = await ask(at, asked);
        const { statusCode = 0, headers } = answer;
        if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return { answer, url: at };
        answer.resume();
        const next = new URL(headers.location, at);
        if (!/^https?:$/.test(next.protocol) || (at.protocol === "https:" && next.protocol === "http:")) break;
        at = next;
      }
      throw new Error("it sends on without end");
    },
    close() {
      agent.destroy();
      secure.destroy();
    },
  };
}
