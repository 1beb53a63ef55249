/** Deliveries by somebody who signs them: every program must read the same files from what is called verified. */
import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type EnvelopeSignature, envelopeOf, payloadOf, signedBytes } from "../../core/provenance/envelope.ts";
import { statementOf } from "../../core/provenance/statement.ts";
import { keyIdOf } from "../../host/signing-key.ts";
import { layOut } from "../../pack/layout.ts";
import { entryOf } from "../../pack/pack.ts";
import { declaredEvidence } from "./declared-evidence.ts";
import { hashOf, readZip } from "./read-delivered.ts";
import { readManifestText, verifyDelivery } from "./verify-delivery.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const FILES: [path: string, text: string][] = [
  ["price.py", "def price(q, u):\n    return q * u\n"],
  ["second.py", "x = 2\n"],
];
const packOf = (files: [path: string, text: string][]): Buffer =>
  Buffer.from(layOut(files.map(([path, text]) => entryOf(path, bytes(text)))));

const CENTRAL = Buffer.from([0x50, 0x4b, 1, 2]);
const END_BYTES = 22;

/** Inserts bytes and moves the offsets of the central directory. */
function inserted(zip: Buffer, at: number, more: Buffer): Buffer {
  const changed = Buffer.concat([zip.subarray(0, at), more, zip.subarray(at)]);
  const end = changed.length - END_BYTES;
  changed.writeUInt32LE(changed.readUInt32LE(end + 16) + more.length, end + 16);
  if (at > 0) return changed;
  for (let next = changed.indexOf(CENTRAL); next !== -1; next = changed.indexOf(CENTRAL, next + 1))
    changed.writeUInt32LE(changed.readUInt32LE(next + 42) + more.length, next + 42);
  return changed;
}

/** With a number of the directory's first entry changed. */
function lying(field: number): Buffer {
  const zip = packOf(FILES);
  const at = zip.indexOf(CENTRAL) + field;
  zip.writeUInt32LE(zip.readUInt32LE(at) + 1, at);
  return zip;
}

function renamed(zip: Buffer, from: string, to: string): Buffer {
  return Buffer.from(zip.toString("latin1").replaceAll(from, to), "latin1");
}

const signatureOf = (payload: Uint8Array): EnvelopeSignature => ({
  keyid: keyIdOf(publicKey),
  sig: sign(null, signedBytes("application/vnd.in-toto+json", payload), privateKey).toString("base64"),
});

interface Signed {
  files?: [path: string, text: string][];
  result?: Record<string, unknown>;
  signatures?: (payload: Uint8Array) => EnvelopeSignature[];
}

function manifestOf(zip: Uint8Array, { files = FILES, result = {}, signatures }: Signed = {}) {
  const at = "2026-01-01T00:00:00.000Z";
  const statement = statementOf({
    ...{ name: "made", zip: hashOf(zip), beside: [], runId: "run", startedOn: at, finishedOn: at, parameters: {} },
    files: files.map(([path, text]) => ({ path, sha256: hashOf(text) })),
    ...{ dependencies: [], byproducts: [{ name: "result", digest: {}, annotations: result }] },
  });
  const payload = payloadOf(statement);
  return readManifestText(JSON.stringify(envelopeOf(payload, signatures?.(payload) ?? [signatureOf(payload)])));
}

async function verified(zip: Uint8Array, { isRequired = true, ...signed }: Signed & { isRequired?: boolean } = {}) {
  const manifest = manifestOf(zip, signed);
  if (!manifest) throw new Error("The manifest cannot be read.");
  const trusted = { key: publicKey, isRequired };
  return verifyDelivery({ manifest, found: readZip(zip), trusted, readBeside: async () => undefined });
}

describe("a zip that its signer made", () => {
  it("is verified as this program lays it out", async () => {
    expect(await verified(packOf(FILES))).toMatchObject({ isVerified: true, signature: { status: "valid" } });
  });

  const local = Buffer.from(packOf([["hidden.py", "x"]])).subarray(0, 30 + "hidden.py".length + 1);
  const directoryAt = (zip: Buffer): number => zip.readUInt32LE(zip.length - END_BYTES + 16);
  const first = packOf(FILES);
  const cases: [what: string, zip: Buffer][] = [
    ["a path twice, first with other code", packOf([["price.py", "evil()\n"], ...FILES])],
    ["a path twice, last with other code", packOf([...FILES, ["price.py", "evil()\n"]])],
    ["an entry that is not in its directory", inserted(first, directoryAt(first), local)],
    ["a program before it", inserted(first, 0, Buffer.from("#!/bin/sh\nexit\n"))],
    ["a wrong size", lying(24)],
    ["a wrong checksum", lying(16)],
    ["another name at its entry", Buffer.from(first.toString("latin1").replace("price.py", "other.py"), "latin1")],
    ["a comment behind it", Buffer.concat([first, Buffer.from("PK")])],
  ];
  it.each(cases)("is not verified with %s", async (_, zip) => {
    expect(await verified(zip)).toMatchObject({ isVerified: false, zip: "same" });
  });

  it("is not verified with a file that is not declared, whatever it is called", async () => {
    const zip = packOf([...FILES, ["longproto", "x"]]);
    const hidden = await verified(renamed(zip, "longproto", "__proto__"));
    expect(hidden).toMatchObject({ isVerified: false, extra: ["__proto__"] });
  });

  it.each(["../../x", "/tmp/x", "..\\..\\x", ".git/hooks/pre-commit", "PRICE.py", "a/"])(
    "is not verified with a path that no run can have: %s",
    async (path) => {
      const files: [string, string][] = [...FILES, [path, "x"]];
      expect(await verified(packOf(files), { files })).toMatchObject({ isVerified: false, zip: "same" });
    },
  );
});

describe("a manifest that its signer made", () => {
  it("is not read with more signatures than a few", () => {
    const signatures = (count: number) => (payload: Uint8Array) =>
      Array.from({ length: count }, () => signatureOf(payload));
    expect([...(manifestOf(packOf(FILES), { signatures: signatures(16) })?.declared.files ?? [])]).toHaveLength(
      FILES.length,
    );
    expect(manifestOf(packOf(FILES), { signatures: signatures(17) })).toBeUndefined();
  });

  it("is refused where it calls more proven than its checks can prove", () => {
    const requirements = { proven: 2, total: 2, unproven: [] };
    const part = { requirement: "R1.1", n: 1, grade: 2, check: { tests: ["tests/test_price.py"] } };
    const declared = (evidence: object[]) => {
      const manifest = manifestOf(packOf(FILES), { result: { requirements, evidence } });
      return manifest && declaredEvidence(manifest);
    };
    expect(declared([part])?.checks).toHaveLength(1);
    for (const evidence of [[], [{ ...part, requirement: "R1" }], [{ ...part, requirement: ".".repeat(1_000_000) }]])
      expect(() => declared(evidence)).toThrow();
  });

  it("is of the key that signed it, whatever it says of the key", async () => {
    const signatures = (payload: Uint8Array) => [{ ...signatureOf(payload), keyid: "0".repeat(64) }];
    const own = await verified(packOf(FILES), { signatures, isRequired: false });
    expect(own).toMatchObject({ isVerified: true, signature: { status: "valid", keyid: keyIdOf(publicKey) } });
  });
});
