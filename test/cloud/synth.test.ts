/** `cdk synth` as a user types it: no account, no credentials, no Docker, and another Node first on the path. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "l2mac-home-"));
const out = join(home, "cdk.out");
let said: string;

beforeAll(() => {
  const first = join(home, "bin");
  mkdirSync(first);
  for (const program of ["node", "docker"]) {
    writeFileSync(join(first, program), `#!/bin/sh\necho "${program} was called" >&2\nexit 9\n`);
    chmodSync(join(first, program), 0o755);
  }
  const cdk = join(root, "node_modules/aws-cdk/bin/cdk");
  const { status, stderr } = spawnSync(process.execPath, [cdk, "synth", "--quiet", "--output", out], {
    cwd: root,
    env: { PATH: `${first}:/usr/bin:/bin`, HOME: home },
    encoding: "utf8",
  });
  said = `${status} ${stderr}`;
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const json = (name: string) => JSON.parse(readFileSync(join(out, name), "utf8"));
const assets = () => json("L2mac.assets.json");

describe("cdk synth", () => {
  it("works, and starts neither Docker nor the Node that is first on the path", () => {
    expect(said).toMatch(/^0 /);
    expect(said).not.toContain("was called");
  });

  it("makes one bundle for the functions, and one folder for the evaluator's image", () => {
    const files = Object.values<{ source: { path: string; packaging: string } }>(assets().files);
    const zips = files.filter(({ source }) => source.packaging === "zip");
    expect(zips).toHaveLength(1);
    const bundled = readdirSync(join(out, zips[0]?.source.path ?? ""));
    expect(bundled.filter((name) => !name.startsWith("part-"))).toEqual([
      "entry.mjs",
      "fonts",
      "prompts",
      "rehearsals",
    ]);
    const images = Object.values<{ source: { directory: string } }>(assets().dockerImages);
    expect(images).toHaveLength(1);
    expect(existsSync(join(out, images[0]?.source.directory ?? "", "Dockerfile"))).toBe(true);
  });

  it("names the platform of the image that it is going to build", () => {
    const [image] = Object.values<{ source: { platform: string } }>(assets().dockerImages);
    expect(image?.source.platform).toBe(process.arch === "arm64" ? "linux/arm64" : "linux/amd64");
  });

  it("describes a stack for any account and Region, small enough to deploy, without telemetry", () => {
    const { environment } = json("manifest.json").artifacts.L2mac;
    expect(environment).toBe("aws://unknown-account/unknown-region");
    const text = readFileSync(join(out, "L2mac.template.json"), "utf8");
    expect(text.length).toBeLessThan(1_000_000);
    expect(text).not.toContain("AWS::CDK::Metadata");
    expect(text).not.toContain(tmpdir());
  });
});

describe("cdk synth with a wrong configuration", () => {
  it("says what is wrong and what would be right, without a stack trace, and ends with 1", () => {
    const cdk = join(root, "node_modules/aws-cdk/bin/cdk");
    const wrong = 'l2mac={"evaluator": {"tenant": false}}';
    const argv = [cdk, "synth", "--quiet", "--output", join(home, "wrong"), "-c", wrong];
    const { status, stderr } = spawnSync(process.execPath, argv, { cwd: root, env: { HOME: home }, encoding: "utf8" });
    expect(stderr).toContain("There is no field evaluator.tenant. Did you mean evaluator.tenants?");
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(status).toBe(1);
  });
});
