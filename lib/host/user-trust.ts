/** What the user has agreed to, kept in the user's own folder: files of projects, and running code without a sandbox. */
import { join } from "node:path";
import * as z from "zod";
import { claimHome, type HomePlace, homeId } from "./home-owner.ts";
import { type Environment, readPrivate, userFolder, writePrivate } from "./user-folder.ts";

const Trust = z.object({
  /** By the path of a project's file: the digest of what was trusted. */
  files: z.record(z.string(), z.string()).default({}),
  /** By the name of a home: when the user agreed that its runs need no sandbox. */
  unsealed: z.record(z.string(), z.string()).default({}),
});
type Trust = z.infer<typeof Trust>;

const trustPath = (env: Environment): string => join(userFolder(env), "trusted.json");

/** A damaged file trusts nothing. */
function readTrust(env: Environment): Trust {
  try {
    return Trust.parse(JSON.parse(readPrivate(trustPath(env)) ?? "{}"));
  } catch {
    return Trust.parse({});
  }
}

const writeTrust = (env: Environment, trust: Trust): void =>
  writePrivate(trustPath(env), `${JSON.stringify(trust, null, 2)}\n`);

export interface TrustedFile {
  path: string;
  digest: string;
}

export const isTrusted = (env: Environment, { path, digest }: TrustedFile): boolean =>
  Object.hasOwn(readTrust(env).files, path) && readTrust(env).files[path] === digest;

export function trustFile(env: Environment, { path, digest }: TrustedFile): void {
  const trust = readTrust(env);
  writeTrust(env, { ...trust, files: { ...trust.files, [path]: digest } });
}

/** The user's answer for the runs of one home. */
export const createConsent = (place: HomePlace): { has(): boolean; keep(): void } => ({
  has() {
    const id = homeId(place);
    return id !== undefined && Object.hasOwn(readTrust(place.env).unsealed, id);
  },
  keep() {
    if (homeId(place) === undefined) claimHome(place);
    const trust = readTrust(place.env);
    const id = homeId(place);
    if (id !== undefined) {
      writeTrust(place.env, { ...trust, unsealed: { ...trust.unsealed, [id]: new Date().toISOString() } });
    }
  },
});
