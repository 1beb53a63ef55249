/** Links to files of the store on this computer: signed with a secret of this start, expiring, and readable by anybody who has one. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { ApiAnswer } from "../../api/exchange.ts";
import type { Clock, FileStore } from "../../core/ports.ts";
import { assertStoreKey } from "../../core/store/store-key.ts";

export const LINKS_PATH = "/links/";

export interface LoopbackLinks {
  /** A path: this server has more than one name. */
  get(key: string, asked: { seconds: number; fileName: string }): Promise<string>;
  /** Answers a request for a link; undefined where it is none, or not any more. */
  open(url: URL): Promise<ApiAnswer | undefined>;
}

export interface LinkParts {
  files: Pick<FileStore, "get" | "remove">;
  clock: Clock;
  secret: Uint8Array;
}

export function createLoopbackLinks({ files, clock, secret }: LinkParts): LoopbackLinks {
  const passing = new Map<string, number>();
  const sign = (text: string): string => createHmac("sha256", secret).update(text).digest("base64url");
  return {
    async get(key, { seconds, fileName }) {
      assertStoreKey(key);
      const expires = clock.now() + seconds * 1_000;
      await removeExpired(files, passing, clock.now());
      if (key.startsWith(PASSING)) passing.set(key, expires);
      const signed = JSON.stringify([key, expires, fileName]);
      const what = Buffer.from(signed).toString("base64url");
      return `${LINKS_PATH}${what}.${sign(what)}`;
    },
    async open(url) {
      const [what = "", signature = ""] = url.pathname.slice(LINKS_PATH.length).split(".");
      if (!isSame(signature, sign(what))) return undefined;
      const [key, expires, fileName] = JSON.parse(Buffer.from(what, "base64url").toString()) as [
        string,
        number,
        string,
      ];
      const bytes = clock.now() < expires ? await files.get(key) : undefined;
      return bytes && { status: 200, headers: headersOf(fileName), body: bytes };
    },
  };
}

/** What is stored for a link alone, which S3 removes by itself. */
const PASSING = "uploads/";

async function removeExpired(files: LinkParts["files"], passing: Map<string, number>, now: number): Promise<void> {
  for (const [key, expires] of passing) {
    if (expires >= now) continue;
    passing.delete(key);
    await files.remove(key);
  }
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

const headersOf = (fileName: string) => ({
  "content-type": "application/octet-stream",
  "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(fileName).replace(/['()*]/g, "_")}`,
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
});
