/** What released versions have delivered: this version verifies it, executes its evidence, and finds what was changed. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { declaredEvidence } from "../../lib/files/provenance/declared-evidence.ts";
import { readZipTree } from "../../lib/files/provenance/read-delivered.ts";
import { readManifestText } from "../../lib/files/provenance/verify-delivery.ts";
import { callCommand } from "../doubles/called-command.ts";
import { changeByte } from "../fixtures/change-byte.ts";
import { deliveriesOf, fileOf, VERSIONS } from "../fixtures/deliveries/stored-deliveries.ts";
import { runsOf, VERSIONS as WITH_HOME } from "../fixtures/homes/stored-home.ts";

it("there are some of each released version that writes manifests", () => {
  const writing = WITH_HOME.filter((version) => Object.values(runsOf(version)).some(({ manifest }) => manifest));
  expect(VERSIONS.toSorted()).toEqual(writing.toSorted());
});

interface Delivery {
  version: string;
  name: string;
  folder: string;
  isSigned: boolean;
}
const all = VERSIONS.flatMap((version): Delivery[] => deliveriesOf(version).map((each) => ({ version, ...each })));

describe.each(all)("$name of version $version", ({ name, folder, isSigned }) => {
  let copy: string;
  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), "l2mac-delivery-"));
    for (const file of readdirSync(folder)) copyFileSync(join(folder, file), join(copy, file));
  });
  afterEach(() => rmSync(copy, { recursive: true, force: true }));

  const key = isSigned ? ["--key", fileOf(name, "key")] : [];
  const verify = (...words: string[]) =>
    callCommand(["verify", ...words, ...key, "--json"], { folder: copy, env: { PATH: process.env.PATH ?? "" } });
  const zip = fileOf(name, "zip");

  it("is verified as a zip and as a folder, and its evidence is green", async () => {
    for (const [path, content] of readZipTree(readFileSync(join(folder, zip)))) {
      mkdirSync(dirname(join(copy, name, path)), { recursive: true });
      writeFileSync(join(copy, name, path), content);
    }
    const manifest = readManifestText(readFileSync(join(folder, fileOf(name, "manifest")), "utf8"));
    const declared = manifest && declaredEvidence(manifest)?.checks.length;
    const intact = {
      ...{ verified: true, changed: [], missing: [], extra: [] },
      signature: { status: isSigned ? "valid" : "absent" },
    };
    const ofZip = await verify(zip, "--unsealed", "--no-install");
    expect(ofZip.code, ofZip.stderr).toBe(0);
    const { evidence, ...found } = JSON.parse(ofZip.stdout);
    expect(found).toMatchObject(intact);
    expect(evidence?.length).toBe(declared);
    const ofFolder = await verify(name, "--no-evidence");
    expect(JSON.parse(ofFolder.stdout)).toMatchObject(intact);
  });

  it("is verified without the bill of materials that earlier versions wrote beside it", async () => {
    rmSync(join(copy, fileOf(name, "bom")), { force: true });
    expect(await verify(zip, "--no-evidence")).toMatchObject({ code: 0 });
  });

  const parts = (["zip", "bom"] as const).filter((what) => existsSync(join(folder, fileOf(name, what))));
  it.each(parts)("is not verified with a changed byte in its %s", async (what) => {
    changeByte(join(copy, fileOf(name, what)));
    const { code, stdout } = await verify(zip, "--no-evidence");
    expect([code, JSON.parse(stdout).verified]).toEqual([1, false]);
  });

  it("is not verified with a changed byte in its manifest", async () => {
    changeByte(join(copy, fileOf(name, "manifest")));
    expect((await verify(zip, "--no-evidence")).code).toBe(1);
  });
});
