/** Programs that others wrote accept the manifest, its signature and the bill of materials. */
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

const MODULES =
  "cryptography, cyclonedx.validation.json, in_toto_attestation, packageurl, referencing, securesystemslib";
const isInstalled = spawnSync("python3", ["-c", `import ${MODULES}`]).status === 0;
const script = fileURLToPath(new URL("check_with_others.py", import.meta.url));

const { opened } = openedMachines();

/** Names and versions as they occur. */
const manifests = [
  {
    path: "package.json",
    content: JSON.stringify({ dependencies: { "@types/node": "24.0.0", JSONStream: "^1.3", "lodash.merge": "4.6.2" } }),
  },
  {
    path: "requirements.txt",
    content: "zope.interface==7.2\nRuamel.Yaml==0.18.6\ntyping_extensions\nlocal==1.0+cpu\nepoch==1!2.0\n",
  },
  {
    path: "go.mod",
    content:
      "module m\nrequire (\n github.com/BurntSushi/toml v1.4.0\n gopkg.in/yaml.v3 v3.0.1\n a.b/c/v2 v2.0.0+incompatible\n)\n",
  },
  {
    path: "Cargo.lock",
    content: `[[package]]\nname = "openssl-src"\nversion = "300.3.1+3.3.1"\nsource = "registry"\nchecksum = "${"0f".repeat(32)}"\n`,
  },
  { path: "composer.json", content: JSON.stringify({ require: { "Symfony/Console": "7.1.0" } }) },
  { path: "Gemfile", content: 'gem "rails", "7.1.3"\ngem "net-http"\n' },
  {
    path: "pom.xml",
    content:
      "<dependency><groupId>org.apache.commons</groupId><artifactId>commons-lang3</artifactId><version>3.17.0</version></dependency>",
  },
];

describe.skipIf(!isInstalled)(
  `what others wrote (needs in-toto-attestation, securesystemslib and cyclonedx of PyPI)`,
  () => {
    const signers: Record<string, (folder: string) => ManifestSigner> = {
      "this computer's key": (folder) => createKeySigner({ XDG_CONFIG_HOME: folder }),
      "a key of AWS KMS": openKmsSigner,
    };
    it.each(Object.entries(signers))(
      "accepts manifest, signature of %s, statement, provenance and bill, and refuses a changed statement",
      async (_, open) => {
        const folder = mkdtempSync(join(tmpdir(), "l2mac-others-"));
        try {
          const signer = open(folder);
          const machine = opened({
            model: scriptedModel(writerOf(1, () => manifests)),
            evaluator: alwaysGreen,
            signer,
          });
          const run = await compute(machine, await aSubmission({}));
          const keys = fileStoreKeys(run.id);
          const files = {
            manifest: await machine.files.get(keys.manifest),
            key: (await signer.publicKey()).pem,
            bom: await machine.files.get(keys.bom),
          };
          const paths = Object.entries(files).map(([name, content = ""]) => {
            writeFileSync(join(folder, name), content);
            return join(folder, name);
          });
          const { status, stdout, stderr } = spawnSync("python3", [script, ...paths], { encoding: "utf8" });
          expect(status, stderr).toBe(0);
          expect(stdout).toContain("securesystemslib: a changed statement is refused");
          expect(stdout).toMatch(/packageurl-python: 16 package URLs/);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      },
    );
  },
);
