/** The key with which this user's deliveries are signed: ed25519, in the user's own folder, where no run can read it. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UserError } from "../core/errors.ts";
import type { ManifestSigner } from "../core/provenance/signer.ts";
import { makeFolder } from "./make-folder.ts";
import { codeOf } from "./storage-errors.ts";
import { syncFolder } from "./sync-folder.ts";
import { type Environment, readPrivate, userFolder } from "./user-folder.ts";

export const signingKeyPath = (env: Environment): string => join(userFolder(env), "signing-key.pem");

/** Reads the key at each use; the first use creates it. */
export const createKeySigner = (env: Environment): ManifestSigner => ({
  async sign(message) {
    const key = signingKey(env);
    return { keyid: keyIdOf(createPublicKey(key)), sig: sign(null, message, key).toString("base64") };
  },
  async publicKey() {
    const key = createPublicKey(signingKey(env));
    return { keyid: keyIdOf(key), pem: pemOf(key) };
  },
});

/** Undefined: none was created yet. */
export function existingPublicKey(env: Environment): KeyObject | undefined {
  const key = readKey(env);
  return key && createPublicKey(key);
}

/** Also of keys that are not ours: the SHA-256 of the public half as DER. */
export const keyIdOf = (key: KeyObject): string =>
  createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("hex");

export const pemOf = (key: KeyObject): string => key.export({ type: "spki", format: "pem" }).toString();

function signingKey(env: Environment): KeyObject {
  const known = readKey(env);
  if (known) return known;
  createKey(signingKeyPath(env));
  const created = readKey(env);
  if (created) return created;
  throw unusable(signingKeyPath(env), "another user could have written it");
}

/** Of several processes one creates it: the others use that one. It is on the disk before anything is signed with it. */
function createKey(path: string): void {
  const { privateKey } = generateKeyPairSync("ed25519");
  makeFolder(dirname(path));
  const own = `${path}${NEW}${randomBytes(8).toString("hex")}`;
  try {
    writeSynced(own, privateKey.export({ type: "pkcs8", format: "pem" }).toString());
    linkSync(own, path);
  } catch (error) {
    // Another process was first, and may have removed this one's file already.
    if (codeOf(error) !== "EEXIST" && codeOf(error) !== "ENOENT") throw error;
  } finally {
    rmSync(own, { force: true });
  }
  removeLeftovers(path);
  syncFolder(dirname(path));
}

const NEW = ".new-";

function writeSynced(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Of processes that ended before they were done. */
function removeLeftovers(path: string): void {
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(`${basename(path)}${NEW}`)) rmSync(join(dirname(path), name), { force: true });
}

function readKey(env: Environment): KeyObject | undefined {
  const pem = readPrivate(signingKeyPath(env));
  if (pem === undefined) return undefined;
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // Not a key at all.
  }
  throw unusable(signingKeyPath(env), "it is no ed25519 key");
}

const unusable = (path: string, why: string): UserError =>
  new UserError(`${path} cannot be used: ${why}.`, {
    exitCode: 3,
    remedy: "Restore the file from a copy, or remove it: then the next delivery is signed with a new key.",
  });
