/** The servers that this user has started: where each listens, for which home, and the key of its start. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type Environment, readPrivate, userFolder, writePrivate } from "./user-folder.ts";

const ServerRecord = z.object({ port: z.int(), home: z.string(), key: z.string().min(20) });
export type ServerRecord = z.infer<typeof ServerRecord>;

const folderOf = (env: Environment): string => join(userFolder(env), "servers");
const pathOf = (env: Environment, port: number): string => join(folderOf(env), `${port}.json`);

/** Answers how to take it back. */
export function recordServer(env: Environment, record: ServerRecord): () => void {
  writePrivate(pathOf(env, record.port), `${JSON.stringify(record)}\n`);
  return () => {
    if (serverAt(env, record.port)?.key === record.key) rmSync(pathOf(env, record.port), { force: true });
  };
}

export function serverAt(env: Environment, port: number): ServerRecord | undefined {
  try {
    const record = ServerRecord.parse(JSON.parse(readPrivate(pathOf(env, port)) ?? ""));
    return record.port === port ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Some may have died without a word. */
export function serversOf(env: Environment, home: string): ServerRecord[] {
  return portsIn(folderOf(env))
    .flatMap((port) => serverAt(env, port) ?? [])
    .filter((record) => record.home === home);
}

function portsIn(folder: string): number[] {
  try {
    return readdirSync(folder).flatMap((name) => (/^\d{1,5}\.json$/.test(name) ? [Number.parseInt(name, 10)] : []));
  } catch {
    return [];
  }
}

/** What only a holder of the key can answer. */
export const proofOf = (key: string, nonce: string): string =>
  createHmac("sha256", key).update(`l2mac server ${nonce}`).digest("base64url");

const PATIENCE_MS = 5_000;
const PROOF_CHARS = 43;

/** Whether the server that was started with this key listens there. The key itself is not sent. */
export async function isProven({ port, key }: Pick<ServerRecord, "port" | "key">): Promise<boolean> {
  const nonce = randomBytes(32).toString("base64url");
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`http://127.0.0.1:${port}/proof?nonce=${nonce}`, { signal, redirect: "error" });
    const proof = await firstText(response);
    const expected = proofOf(key, nonce);
    return proof.length === expected.length && timingSafeEqual(Buffer.from(proof), Buffer.from(expected));
  } catch {
    return false;
  }
}

/** As much as a proof has: another listener may send without end. */
async function firstText(response: Response): Promise<string> {
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString("latin1");
    if (text.length > PROOF_CHARS) break;
  }
  return text.slice(0, PROOF_CHARS + 1);
}
