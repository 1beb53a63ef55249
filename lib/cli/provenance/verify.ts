/**
 * `l2mac verify`: checks the signature of a delivery's manifest and every hash in it, and executes its evidence. Needs no
 * model and no registry.
 */
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import { shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { manifestBeside, stemOf } from "../../files/provenance/beside.ts";
import { type DeclaredEvidence, declaredEvidence } from "../../files/provenance/declared-evidence.ts";
import {
  type FoundDelivery,
  readFolder,
  readFolderTree,
  readZip,
  readZipTree,
} from "../../files/provenance/read-delivered.ts";
import { readPublicKey, type TrustedKey } from "../../files/provenance/signature.ts";
import {
  type Manifest,
  readManifestText,
  type VerificationParts,
  verifyDelivery,
} from "../../files/provenance/verify-delivery.ts";
import { existingPublicKey } from "../../host/signing-key.ts";
import { codeOf, explainFile } from "../../host/storage-errors.ts";
import type { Arguments, Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { evidenceWords } from "./evidence-lines.ts";
import { type ExecutedCheck, executeEvidence } from "./execute-evidence.ts";
import { asJson, showVerification } from "./verification-lines.ts";
import { KEY, MANIFEST, NO_EVIDENCE } from "./verify-flags.ts";

/** What is verified, before anything is compared. */
export interface VerifiedDelivery {
  /** As the user knows it. */
  subject: string;
  found: FoundDelivery;
  manifestText: string;
  /** Where it is; absent: a run has it. */
  manifestPath?: string;
  readBeside: VerificationParts["readBeside"];
  /** Its files with their bytes, by path. */
  readTree(): Promise<Map<string, Uint8Array>>;
}

export const verify: Command = async (given, shell) => {
  const trusted = trustedKey(given, shell);
  const delivery = await deliveryOf(given, shell);
  const manifest = manifestOf(delivery);
  const evidence = evidenceIn(manifest, delivery);
  const { found, readBeside } = delivery;
  const verification = await verifyDelivery({ manifest, found, trusted, readBeside });
  const { isVerified } = verification;
  const isJson = given.flags.has(JSON_OUTPUT.name);
  const shown = { delivery, manifest, verification, isKeyGiven: given.flags.has(KEY.name) };
  if (!isJson) showVerification(shown, shell);
  // What is not what was delivered is not executed.
  const isExecuted = evidence !== undefined && isVerified && !given.flags.has(NO_EVIDENCE.name);
  const declared = manifest.declared.files;
  const executed = isExecuted
    ? await executeEvidence({ delivery, checks: evidence.checks, declared, flags: given.flags }, shell)
    : undefined;
  if (isJson) shell.out(`${JSON.stringify(asJson(shown, executed))}\n`);
  else if (evidence)
    for (const line of evidenceWords(evidence, { executed, isVerified })) shell.out(`${sanitizeLine(line)}\n`);
  return isVerified && (executed ?? []).every(isGreen) ? 0 : 1;
};

const isGreen = ({ outcome }: ExecutedCheck): boolean => outcome.status === "passed";

function manifestOf({ manifestText, manifestPath }: VerifiedDelivery): Manifest {
  const manifest = readManifestText(manifestText);
  if (manifest) return manifest;
  throw unreadable(`${manifestPath ?? "The manifest of the run"} is no manifest of a delivery, or not one any more.`);
}

function evidenceIn(manifest: Manifest, { manifestPath }: VerifiedDelivery): DeclaredEvidence | undefined {
  try {
    return declaredEvidence(manifest);
  } catch {
    throw unreadable(
      `What ${manifestPath ?? "the manifest of the run"} says of evidence cannot be read, or contradicts itself.`,
    );
  }
}

const unreadable = (why: string): UserError =>
  new UserError(`${why} Nothing was verified.`, {
    exitCode: 1,
    remedy: "Get the manifest again from where the delivery came from.",
  });

/** That of the user's own folder is looked at only, and never created here. */
function trustedKey({ flags }: Arguments, { cwd, env }: Shell): TrustedKey | undefined {
  const file = flags.get(KEY.name);
  if (file !== undefined) return { key: readPublicKey(resolve(cwd, file)), isRequired: true };
  const own = existingPublicKey(env);
  return own && { key: own, isRequired: false };
}

async function deliveryOf(given: Arguments, shell: Shell): Promise<VerifiedDelivery> {
  const [word] = given.words;
  const path = word === undefined ? undefined : resolve(shell.cwd, word);
  const there = path === undefined ? undefined : await kindOf(path);
  if (word !== undefined && path !== undefined && there !== undefined)
    return fromDisk(given, { cwd: shell.cwd, word, path, isFolder: there === "folder" });
  if (word !== undefined && /[/\\]|\.zip$/i.test(word)) {
    throw new UserError(`There is no file or folder ${word}.`, {
      exitCode: 2,
      remedy: "Name a zip, a folder, or a run.",
    });
  }
  return fromRun(given, shell);
}

async function kindOf(path: string): Promise<"file" | "folder" | undefined> {
  try {
    return (await stat(path)).isDirectory() ? "folder" : "file";
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw explainFile(error, path);
  }
}

interface OnDisk {
  cwd: string;
  word: string;
  path: string;
  isFolder: boolean;
}

async function fromDisk({ flags }: Arguments, { cwd, word, path, isFolder }: OnDisk): Promise<VerifiedDelivery> {
  const given = flags.get(MANIFEST.name);
  const manifestPath = given === undefined ? manifestBeside(stemOf(path)) : resolve(cwd, given);
  const bytes = await bytesAt(manifestPath);
  if (!bytes) throw noManifest(word, manifestPath);
  const stem = manifestPath.replace(/\.manifest\.json$/, "");
  return {
    subject: word,
    ...(isFolder ? await onFolder(path) : inZip(await readFile(path))),
    manifestText: bytes.toString("utf8"),
    manifestPath,
    // Earlier versions wrote a bill of materials. Files that were renamed together belong together still.
    readBeside: async (name) =>
      (await bytesAt(`${stem}.cdx.json`)) ??
      (isFileName(name) ? bytesAt(join(dirname(manifestPath), name)) : undefined),
  };
}

type FoundTree = Pick<VerifiedDelivery, "found" | "readTree">;

const inZip = (zip: Uint8Array): FoundTree => ({ found: readZip(zip), readTree: async () => readZipTree(zip) });

const onFolder = async (path: string): Promise<FoundTree> => {
  const found = await readFolder(path);
  return { found, readTree: () => readFolderTree(path, found) };
};

/** A manifest may name anything. */
const isFileName = (name: string): boolean => basename(name) === name && !/^\.{0,2}$|[\\\0]/.test(name);

async function bytesAt(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes(codeOf(error) ?? "")) return undefined;
    throw explainFile(error, path);
  }
}

const noManifest = (word: string, path: string): UserError =>
  new UserError(`There is no manifest at ${path}: ${word} cannot be verified.`, {
    exitCode: 2,
    remedy: `Give --manifest FILE, or put the manifest there.`,
  });

/** Only here the runs of this computer, or of a stack, are opened. */
async function fromRun(given: Arguments, shell: Shell): Promise<VerifiedDelivery> {
  if (given.flags.has(MANIFEST.name)) {
    throw new UserError("--manifest is for a zip or a folder; a run has its own manifest.", {
      exitCode: 2,
      remedy: { command: "help", args: ["verify"] },
    });
  }
  const [{ connect }, { findRun }] = await Promise.all([
    import("../runs/connection.ts"),
    import("../runs/find-run.ts"),
  ]);
  const connection = await connect(given, shell);
  const run = await findRun(connection, given.words[0]);
  // Asked for first: a run that is not at its end has no zip to answer either.
  const manifest = await connection.manifest(run);
  const zip = manifest && (await connection.delivery(run))?.zip;
  if (!manifest || !zip) {
    throw new UserError(`Run ${shortId(run.id)} has no manifest.`, {
      exitCode: 1,
      remedy: { command: "status", args: [shortId(run.id), ...connection.remoteFlag] },
    });
  }
  return {
    subject: `run ${shortId(run.id)}`,
    ...inZip(zip),
    manifestText: manifest,
    readBeside: async () => undefined,
  };
}
