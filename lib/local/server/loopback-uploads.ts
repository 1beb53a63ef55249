/** Links under which a file can be stored on this computer, once: their token is all the authority that it takes. */
import { randomBytes } from "node:crypto";
import type { Clock, FileStore } from "../../core/ports.ts";

export const UPLOADS_PATH = "/uploads/";

export interface LoopbackUploads {
  put(
    key: string,
    asked: { seconds: number; bytes: number },
  ): Promise<{ url: string; headers: Record<string, string> }>;
  /** Stores what a request brings. */
  take(request: Request): Promise<UploadResult>;
}

export type UploadResult = { stored: true } | { status: 404 | 400; detail: string };

interface Promised {
  key: string;
  expires: number;
  bytes: number;
}

export interface UploadParts {
  files: Pick<FileStore, "put">;
  clock: Clock;
}

export function createLoopbackUploads({ files, clock }: UploadParts): LoopbackUploads {
  const promised = new Map<string, Promised>();
  return {
    async put(key, { seconds, bytes }) {
      for (const [token, { expires }] of promised) if (expires < clock.now()) promised.delete(token);
      const token = randomBytes(32).toString("base64url");
      promised.set(token, { key, bytes, expires: clock.now() + seconds * 1_000 });
      return { url: `${UPLOADS_PATH}${token}`, headers: {} };
    },
    async take(request) {
      const token = new URL(request.url).pathname.slice(UPLOADS_PATH.length);
      const found = promised.get(token);
      promised.delete(token);
      if (!found || found.expires < clock.now()) {
        return { status: 404, detail: "This link was used already, has expired, or never was one." };
      }
      const content = await exactly(request, found.bytes);
      if (!content) return { status: 400, detail: `The link was made for ${found.bytes} bytes.` };
      await files.put(found.key, content);
      return { stored: true };
    },
  };
}

async function exactly(request: Request, bytes: number): Promise<Uint8Array | undefined> {
  const content = new Uint8Array(bytes);
  let length = 0;
  for await (const chunk of request.body ?? []) {
    if (length + chunk.length > bytes) return undefined;
    content.set(chunk, length);
    length += chunk.length;
  }
  return length === bytes ? content : undefined;
}
