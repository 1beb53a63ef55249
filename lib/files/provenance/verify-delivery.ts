/** Compares what was delivered with its manifest: every hash, by name. */
import { defined } from "../../core/defined.ts";
import { type Envelope, Envelope as EnvelopeSchema, payloadIn } from "../../core/provenance/envelope.ts";
import { type DeclaredDelivery, declaredIn, Statement } from "../../core/provenance/statement.ts";
import { type FoundDelivery, hashOf } from "./read-delivered.ts";
import { type CheckedSignature, checkSignature, type TrustedKey } from "./signature.ts";

export interface Manifest {
  envelope: Envelope;
  statement: Statement;
  declared: DeclaredDelivery;
}

/** Undefined: it is not a manifest of this program, or not one any more. */
export function readManifestText(text: string): Manifest | undefined {
  try {
    const envelope = EnvelopeSchema.parse(JSON.parse(text));
    const statement = Statement.parse(JSON.parse(decoder.decode(payloadIn(envelope))));
    const declared = declaredIn(statement);
    return declared && { envelope, statement, declared };
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

export type BesideStatus = "same" | "changed" | "absent";

export interface Verification {
  isVerified: boolean;
  signature: CheckedSignature;
  /** Absent: a folder was verified, which has no zip. */
  zip?: "same" | "changed";
  unreadable?: string;
  same: number;
  changed: string[];
  missing: string[];
  extra: string[];
  /** What the manifest has beside the zip. Absent files are not wrong: they can be left behind. */
  beside: { name: string; status: BesideStatus }[];
}

export interface VerificationParts {
  manifest: Manifest;
  found: FoundDelivery;
  trusted: TrustedKey | undefined;
  readBeside: (name: string) => Promise<Uint8Array | undefined>;
}

export async function verifyDelivery(parts: VerificationParts): Promise<Verification> {
  const { manifest, found, trusted, readBeside } = parts;
  const { declared } = manifest;
  const signature = checkSignature(manifest.envelope, trusted);
  const beside = await Promise.all(
    declared.beside.map(async ({ name, sha256 }) => ({ name, status: statusOf(await readBeside(name), sha256) })),
  );
  const zip: Verification["zip"] =
    found.zip === undefined ? undefined : found.zip === declared.zip ? "same" : "changed";
  const unreadable = found.unreadable ?? (zip === "same" && !found.isPack ? OTHER_LAYOUT : undefined);
  // Of a zip that cannot be read it is not known which files are missing.
  const compared = unreadable === undefined ? compareFiles(declared, found) : NOT_COMPARED;
  const wrong = compared.changed.length + compared.missing.length + compared.extra.length;
  const isVerified =
    wrong === 0 &&
    zip !== "changed" &&
    unreadable === undefined &&
    signature.status !== "invalid" &&
    beside.every(({ status }) => status !== "changed");
  return {
    isVerified,
    signature,
    ...compared,
    beside,
    ...defined({ zip }),
    ...defined({ unreadable }),
  };
}

/** Who signed it is not to be trusted: this program signs its own zips alone. */
const OTHER_LAYOUT = "it is not laid out as deliveries are, so that programs may read other files from it";

const statusOf = (bytes: Uint8Array | undefined, sha256: string): BesideStatus => {
  if (bytes === undefined) return "absent";
  return hashOf(bytes) === sha256 ? "same" : "changed";
};

const NOT_COMPARED = { same: 0, changed: [], missing: [], extra: [] };

function compareFiles({ files: declared }: DeclaredDelivery, { files }: FoundDelivery) {
  const names = [...declared.keys()];
  const there = names.filter((path) => files.has(path));
  const changed = there.filter((path) => files.get(path) !== declared.get(path));
  return {
    same: there.length - changed.length,
    changed: changed.sort(),
    missing: names.filter((path) => !files.has(path)).sort(),
    extra: [...files.keys()].filter((path) => !declared.has(path)).sort(),
  };
}
