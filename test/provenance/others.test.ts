/** Programs that others wrote accept the manifest and its signature. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { ManifestSigner } from "../../lib/core/provenance/signer.ts";
import { createKeySigner } from "../../lib/host/signing-key.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { openKmsSigner } from "../doubles/kms-signer.ts";
import { alwaysGreen, aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const MODULES = "cryptography, in_toto_attestation, securesystemslib";
const isInstalled = spawnSync("python3", ["-c", `import ${MODULES}`]).status === 0;
const script = fileURLToPath(new URL("check_with_others.py", import.meta.url));

const { opened } = openedMachines();

describe.skipIf(!isInstalled)(`what others wrote (needs in-toto-attestation and securesystemslib of PyPI)`, () => {
  const signers: Record<string, (folder: string) => ManifestSigner> = {
    "this computer's key": (folder) => createKeySigner({ XDG_CONFIG_HOME: folder }),
    "a key of AWS KMS": openKmsSigner,
  };
  it.each(Object.entries(signers))(
    "accepts manifest, signature of %s, statement and provenance, and refuses a changed statement",
    async (_, open) => {
      const folder = mkdtempSync(join(tmpdir(), "l2mac-others-"));
      try {
        const signer = open(folder);
        const machine = opened({
          model: scriptedModel(writerOf(1, () => [{ path: "one.txt", content: "one\n" }])),
          evaluator: alwaysGreen,
          signer,
        });
        const run = await compute(machine, await aSubmission({}));
        const keys = fileStoreKeys(run.id);
        const files = {
          manifest: await machine.files.get(keys.manifest),
          key: (await signer.publicKey()).pem,
        };
        const paths = Object.entries(files).map(([name, content = ""]) => {
          writeFileSync(join(folder, name), content);
          return join(folder, name);
        });
        const { status, stdout, stderr } = spawnSync("python3", [script, ...paths], { encoding: "utf8" });
        expect(status, stderr).toBe(0);
        expect(stdout).toContain("securesystemslib: a changed statement is refused");
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
