/** `l2mac verify` as people use it: on a zip, a folder and a run, here and where nothing but Node is. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { unpackTree } from "../../lib/pack/pack.ts";
import { aServer } from "../api/served.ts";
import { aBench, type Bench } from "../doubles/command.ts";
import { openKmsSigner } from "../doubles/kms-signer.ts";

const launcher = fileURLToPath(new URL("../../bin/l2mac.mjs", import.meta.url));

let bench: Bench;
let delivered: string;
beforeAll(async () => {
  bench = aBench();
  const ended = await bench.run(["run", "--rehearse", "--quiet"]);
  expect(ended.code, ended.stderr).toBe(0);
  delivered = ended.stdout.trim();
  expect((await bench.run(["get", "--zip", "made.zip"])).code).toBe(0);
  writeFileSync(join(bench.folder, "signer.pem"), (await bench.run(["key", "show"])).stdout);
});
afterAll(() => bench.remove());

/** A copy to change: `copy.zip`, and the folder `copy`. */
beforeEach(() => {
  rmSync(at("copy"), { recursive: true, force: true });
  cpSync(delivered, at("copy"), { recursive: true });
  for (const end of [".zip", ".manifest.json"]) cpSync(at(`made${end}`), at(`copy${end}`));
});
const at = (name: string): string => join(bench.folder, name);

interface Found {
  verified: boolean;
  signature: { status: string; keyid?: string };
  changed: string[];
  missing: string[];
  extra: string[];
  beside: { name: string; status: string }[];
}

async function verified(...args: string[]): Promise<{ code: number | null; found: Found; stderr: string }> {
  const { code, stdout, stderr } = await bench.run(["verify", ...args, "--json"]);
  return { code, found: JSON.parse(stdout || "{}"), stderr };
}

describe("l2mac verify", () => {
  it("finds zip, folder and run as they were delivered, signed by this computer", async () => {
    for (const args of [["copy.zip"], ["copy"], [], ["--key", "signer.pem", "copy"]]) {
      const { code, found } = await verified(...args);
      expect(found, args.join(" ")).toMatchObject({ verified: true, signature: { status: "valid" } });
      expect(code).toBe(0);
    }
    const shown = await bench.run(["verify", "copy.zip"]);
    expect(shown.stdout).toMatch(/^Signature {2}valid, of this computer's key [0-9a-f]{16}$/m);
    expect(shown.stdout).toMatch(/^Checked {4}\d+ of \d+ tests passed, as the manifest says$/m);
    expect(shown.stdout).toContain("Verified: signature and files.");
  });

  it("names the file in which one byte was changed, in a zip and in a folder", async () => {
    const zip = readFileSync(at("copy.zip"));
    // Its first file is README.md; the byte lies in what it is deflated to.
    const place = 30 + zip.readUInt16LE(26) + 100;
    zip.writeUInt8(zip.readUInt8(place) ^ 1, place);
    writeFileSync(at("copy.zip"), zip);
    const inZip = await verified("copy.zip");
    expect(inZip).toMatchObject({ code: 1, found: { verified: false, changed: ["README.md"], zip: "changed" } });
    const file = join(at("copy"), "package.json");
    writeFileSync(file, readFileSync(file, "utf8").replace("{", "{ "));
    expect(await verified("copy")).toMatchObject({
      code: 1,
      found: { changed: ["package.json"], missing: [], extra: [] },
    });
    const shown = await bench.run(["verify", "copy"]);
    expect(shown.stdout).toMatch(/^ +changed: package\.json$/m);
    expect(shown.stdout).toContain("NOT VERIFIED: copy is not what was delivered.");
  });

  it("names files that are missing, and files and links that were added", async () => {
    rmSync(join(at("copy"), "package.json"));
    writeFileSync(join(at("copy"), "src", "\u001b[31mback-door.js"), "");
    symlinkSync("/etc/passwd", join(at("copy"), "link"));
    const { code, found } = await verified("copy");
    expect(code).toBe(1);
    expect(found.missing).toEqual(["package.json"]);
    expect(found.extra).toEqual([".l2mac-links.json", "src/\u001b[31mback-door.js"]);
    expect((await bench.run(["verify", "copy"])).stdout).not.toContain("\u001b");
  });

  it("refuses a manifest that was changed after it was signed, though the hashes fit", async () => {
    const file = join(at("copy"), "package.json");
    writeFileSync(file, "{}\n");
    const manifest = JSON.parse(readFileSync(at("copy.manifest.json"), "utf8"));
    const statement = JSON.parse(Buffer.from(manifest.payload, "base64").toString());
    const subject = statement.subject.find(({ name }: { name: string }) => name.endsWith("/package.json"));
    subject.digest.sha256 = "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356";
    const forged = { ...manifest, payload: Buffer.from(JSON.stringify(statement)).toString("base64") };
    writeFileSync(at("copy.manifest.json"), JSON.stringify(forged));
    const { code, found } = await verified("copy");
    expect(found).toMatchObject({
      verified: false,
      signature: { status: "invalid" },
      changed: [],
      missing: [],
      extra: [],
    });
    expect(code).toBe(1);
    // A forger may remove the signature too, or sign with another key: then the key that is asked for did not sign.
    writeFileSync(at("copy.manifest.json"), JSON.stringify({ ...forged, signatures: [] }));
    expect((await verified("copy")).found).toMatchObject({ verified: true, signature: { status: "absent" } });
    expect(await verified("copy", "--key", "signer.pem")).toMatchObject({
      code: 1,
      found: { signature: { status: "invalid" } },
    });
  });

  it("reads a manifest that names a folder beside it, and lists what is no text", async () => {
    const manifest = JSON.parse(readFileSync(at("copy.manifest.json"), "utf8"));
    const statement = JSON.parse(Buffer.from(manifest.payload, "base64").toString());
    statement.subject.push({ name: "..", digest: { sha256: "0".repeat(64) } });
    const result = statement.predicate.runDetails.byproducts.find(({ name }: { name: string }) => name === "result");
    result.annotations.verdicts.unchecked = [{ toString: 1 }, "syntax: no_toolchain"];
    const payload = Buffer.from(JSON.stringify(statement)).toString("base64");
    writeFileSync(at("copy.manifest.json"), JSON.stringify({ ...manifest, payload, signatures: [] }));
    const { code, stdout, stderr } = await bench.run(["verify", "copy.zip"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Checked .*; unchecked: syntax: no_toolchain$/m);
    expect(stdout).toMatch(/^Beside +\.\.: not there, so not checked$/m);
  });

  it("names what a zip of another program has more", async () => {
    const files = unpackTree(readFileSync(at("copy.zip")));
    const written = zipSync(
      { ...Object.fromEntries(files), "more.txt": new TextEncoder().encode("more") },
      { level: 9 },
    );
    writeFileSync(at("copy.zip"), written);
    const { code, found } = await verified("copy.zip");
    expect(code).toBe(1);
    expect(found).toMatchObject({ zip: "changed", changed: [], missing: [], extra: ["more.txt"] });
  });

  it("says what is wrong with what it is given, and ends with 2 for it", async () => {
    rmSync(at("copy.manifest.json"));
    const cases: [string[], string][] = [
      [["copy.zip"], "There is no manifest at"],
      [["nowhere/at/all.zip"], "There is no file or folder"],
      [["copy", "--key", "copy.zip", "--manifest", "made.manifest.json"], "is no public key in PEM"],
      [["--manifest", "made.manifest.json"], "--manifest is for a zip or a folder"],
      [["copy", "--key", "nowhere.pem", "--manifest", "made.manifest.json"], "There is no file"],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await bench.run(["verify", ...args]);
      expect(stderr).toContain(message);
      expect(code, args.join(" ")).toBe(2);
    }
    writeFileSync(at("copy.manifest.json"), "{}");
    const broken = await bench.run(["verify", "copy.zip"]);
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain("is no manifest of a delivery");
  });

  it("works in an empty folder, on a computer with Node and nothing else", () => {
    const place = at("elsewhere");
    const programs = at("programs");
    for (const folder of [place, programs]) mkdirSync(folder, { recursive: true });
    symlinkSync(process.execPath, join(programs, "node"));
    for (const end of [".zip", ".manifest.json"]) cpSync(at(`copy${end}`), join(place, `copy${end}`));
    cpSync(at("signer.pem"), join(place, "signer.pem"));
    const there = (...args: string[]) =>
      spawnSync("node", [launcher, "verify", ...args], {
        cwd: place,
        env: { PATH: programs, HOME: join(place, "no-home") },
        encoding: "utf8",
      });
    const unknown = there("copy.zip");
    expect(unknown.status, unknown.stderr).toBe(0);
    expect(unknown.stdout).toMatch(/^Signature {2}not checked: key [0-9a-f]{16} is not known here$/m);
    expect(unknown.stdout).toContain("Intact: the files are those of the manifest.");
    const known = there("copy.zip", "--key", "signer.pem");
    expect(known.stdout).toMatch(/^Signature {2}valid, of the given key/m);
    expect(known.status).toBe(0);
    expect(readdirSync(place).sort()).toEqual(["copy.manifest.json", "copy.zip", "signer.pem"]);
  });
});

it("the public key of a server is printed where it is asked for, and not that of this computer", async () => {
  const signer = openKmsSigner();
  const server = await aServer({ signer });
  try {
    const { keyid, pem } = await signer.publicKey();
    const shown = await bench.run(["key", "show", "--json", "--remote", server.url]);
    expect(JSON.parse(shown.stdout)).toEqual({ keyid, algorithm: "ecdsa-p256-sha256", publicKey: pem });
  } finally {
    await server.remove();
  }
});

describe("what lies beside a delivery", () => {
  it("is written with the files, and never over a file of somebody else", async () => {
    expect(existsSync(`${delivered}.manifest.json`)).toBe(true);
    writeFileSync(at("again.manifest.json"), "mine\n");
    const got = await bench.run(["get", "--out", "again"]);
    expect(got.code).toBe(0);
    expect(got.stderr).toContain("again.manifest.json (another file is there)");
    expect(readFileSync(at("again.manifest.json"), "utf8")).toBe("mine\n");
    const zip = await bench.run(["get", "--zip", "made.zip"]);
    expect(zip.code).toBe(2);
    expect(zip.stderr).toContain("made.zip is there already");
  });
});
