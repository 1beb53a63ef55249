/** The real command with `--remote` and its own credentials, against the rehearsed deployment. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../test/doubles/command.ts";
import { dynoxide, moto } from "./emulators/emulators.ts";
import { openStage, PLACE, type Stage } from "./stage.ts";

const missing = [dynoxide, moto].flatMap(({ isThere, title }) => (isThere ? [] : [title]));
const skipped = missing.length > 0 ? ` (skipped: ${missing.join(", ")})` : "";

let stage: Stage;
let bench: Bench;
beforeAll(async () => {
  if (missing.length > 0) return;
  stage = await openStage({ config: {} });
  const { accessKeyId, secretAccessKey } = stage.ownerCredentials;
  bench = aBench({
    ...{ L2MAC_API_URL: stage.gateway.secureUrl, NODE_EXTRA_CA_CERTS: stage.certificateFile, AWS_REGION: PLACE.region },
    ...{ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
  });
});
afterAll(async () => {
  await stage?.stop();
  bench?.remove();
});

describe.skipIf(missing.length > 0)(`the command, where L2MAC_API_URL names a deployed stack${skipped}`, () => {
  it("computes there, and delivers here", async () => {
    const ended = await bench.run(["run", "--rehearse"]);
    expect(ended.code, ended.stderr).toBe(0);
    const project = ended.stdout.trim();
    expect(existsSync(join(project, "package.json"))).toBe(true);
    expect(existsSync(join(bench.folder, ".l2mac", "registry.sqlite"))).toBe(false);
  });

  it("starts from a folder, whatever its size", async () => {
    const large = bench.write("large.bin", "");
    writeFileSync(large, Buffer.alloc(3_500_000, "0123456789abcdef\n"));
    const ended = await bench.run(["run", "--rehearse", "--from", bench.folder, "--out", join(bench.folder, "out")]);
    expect(ended.code, ended.stderr).toBe(0);
    expect(existsSync(join(bench.folder, "out", "large.bin"))).toBe(true);
  });

  it("lists, shows, reads and replays what was computed there", async () => {
    const list = await bench.run(["list"]);
    expect(list.stdout).toContain("completed");
    expect((await bench.run(["status"])).stdout).toContain("completed");
    expect((await bench.run(["log"])).stdout).toContain("verdict");
    expect((await bench.run(["tree"])).stdout).toContain("package.json");
    expect(JSON.parse((await bench.run(["cat", "package.json"])).stdout)).toHaveProperty("name");
    const replayed = await bench.run(["replay"]);
    expect(replayed.code, replayed.stderr).toBe(0);
  });

  it("shows and replays what lanes computed there", async () => {
    const part = (number: number) => ({ id: `p${number}`, needs: [], title: `Part ${number}`, text: textOf(number) });
    const textOf = (number: number) => `MARK-${number}-BEGINS Write the files of this part.`;
    const program = bench.write("parts.json", JSON.stringify([part(1), part(2), part(3)]));
    const ended = await bench.run(["run", "Write the parts.", "--program", program, "--parallel", "3"]);
    expect(ended.code, ended.stderr).toBe(0);
    expect((await bench.run(["log"])).stdout).toContain("instruction 2 joins from lane ");
    expect((await bench.run(["show", "2.1"])).stdout).toContain("MARK-2-BEGINS");
    const replayed = await bench.run(["replay"]);
    expect(replayed.code, replayed.stderr).toBe(0);
  });

  it("says without credentials what to do", async () => {
    const stranger = aBench({
      ...{ L2MAC_API_URL: stage.gateway.secureUrl, AWS_REGION: PLACE.region, AWS_EC2_METADATA_DISABLED: "true" },
    });
    const ended = await stranger.run(["list"]);
    stranger.remove();
    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(/credentials/i);
    expect(ended.stderr).not.toContain("    at ");
  });
});
