/** `l2mac verify` executes the evidence of a delivery again: here, elsewhere, and only what the manifest names. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hashOf } from "../../lib/files/provenance/read-delivered.ts";
import { packTree, unpackTree } from "../../lib/pack/pack.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { aBench, type Bench } from "../doubles/command.ts";
import { removeFolders } from "../doubles/evaluation.ts";
import { prove, write } from "../doubles/evidence-runs.ts";
import { aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { realEvaluator } from "../doubles/real-evaluator.ts";
import { placeOf, type Said, scriptedModel } from "../doubles/scripted-model.ts";

const launcher = fileURLToPath(new URL("../../bin/l2mac.mjs", import.meta.url));
const { opened } = openedMachines();

const MODULE = "export const sum = (list) => list.reduce((one, other) => one + other, 0);\n";
const TESTS = `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "../src/sum.js";
test("adds", () => assert.equal(sum([1, 2]), 3));
test("is 0 of nothing", () => assert.equal(sum([]), 0));
`;
const requirements = [
  { id: "R1", text: "It adds." },
  { id: "R2", text: "The sum of nothing is 0." },
];

/** What a run with evidence delivers: its zip and its manifest, which is not signed. */
async function deliver(): Promise<{ zip: Uint8Array; manifest: Uint8Array }> {
  const files = { "package.json": '{ "type": "module" }\n', "src/sum.js": MODULE, "test/sum.test.js": TESTS };
  const turns = [
    [write(files)],
    [prove("R1", "test/sum.test.js::adds"), prove("R2", "test/sum.test.js::is 0 of nothing")],
  ];
  const model = scriptedModel((request): Said => {
    const { answers } = placeOf(request);
    return { calls: turns[answers] ?? [["complete_instruction", { summary: "done" }]] };
  });
  const machine = opened({ model, evaluator: realEvaluator() });
  const instructions = [{ title: "Do it", text: "Do it.", requirements: ["R1", "R2"] }];
  const submitted = await aSubmission({
    options: { reflect: 0, evidence: "own", install: false },
    submission: { requirements, program: { requirements, instructions } },
  });
  const run = await compute(machine, submitted);
  expect([run.status, run.detail]).toEqual(["completed", "Completed. Proven 2/2."]);
  const keys = fileStoreKeys(run.id);
  const [zip, manifest] = await Promise.all([
    machine.files.get(keys.output(`${run.name}.zip`)),
    machine.files.get(keys.manifest),
  ]);
  if (!zip || !manifest) throw new Error("It was not delivered.");
  return { zip, manifest };
}

let bench: Bench;
let delivered: Awaited<ReturnType<typeof deliver>>;
beforeAll(async () => {
  bench = aBench();
  delivered = await deliver();
}, 180_000);
afterAll(async () => {
  bench.remove();
  await removeFolders();
});
const at = (name: string): string => join(bench.folder, name);
beforeEach(() => {
  bench.write("made.zip", delivered.zip);
  bench.write("made.manifest.json", delivered.manifest);
});

function unpackTo(folder: string): void {
  for (const [path, content] of unpackTree(delivered.zip)) {
    mkdirSync(dirname(at(join(folder, path))), { recursive: true });
    bench.write(join(folder, path), content);
  }
}

interface Found {
  verified: boolean;
  changed: string[];
  evidence?: { requirement: string; outcome: { status: string; detail: string } }[];
}

async function verified(...args: string[]): Promise<{ code: number | null; found: Found; stderr: string }> {
  const { code, stdout, stderr } = await bench.run(["verify", ...args, "--json", "--unsealed"]);
  return { code, found: JSON.parse(stdout || "{}"), stderr };
}
const statuses = ({ evidence = [] }: Found) => evidence.map((each) => [each.requirement, each.outcome.status]);

interface Statement {
  subject: { name: string; digest: { sha256: string } }[];
  predicate: { runDetails: { byproducts: { name: string; annotations: { evidence: unknown } }[] } };
}

/** The manifest as a forger would write it: whatever they want, and no signature. */
function forge(change: (statement: Statement) => void): void {
  const envelope = JSON.parse(Buffer.from(delivered.manifest).toString());
  const statement: Statement = JSON.parse(Buffer.from(envelope.payload, "base64").toString());
  change(statement);
  const payload = Buffer.from(JSON.stringify(statement)).toString("base64");
  writeFileSync(at("made.manifest.json"), JSON.stringify({ ...envelope, payload, signatures: [] }));
}

/** A delivery with another `src/sum.js`, whose hashes fit. */
function deliverOther(source: string): void {
  const files = unpackTree(delivered.zip).set("src/sum.js", Buffer.from(source));
  const zip = packTree(
    undefined,
    [...files].map(([path, content]) => ({ path, content })),
  );
  bench.write("made.zip", zip);
  forge(({ subject }) => {
    for (const each of subject) {
      if (each.name.endsWith(".zip")) each.digest.sha256 = hashOf(zip);
      if (each.name.endsWith("/src/sum.js")) each.digest.sha256 = hashOf(source);
    }
  });
}

describe("l2mac verify of a delivery with evidence", { timeout: 120_000 }, () => {
  it("executes every check of a zip and of a folder, and names requirements and checks", async () => {
    unpackTo("made");
    for (const subject of ["made.zip", "made"]) {
      const { code, found, stderr } = await verified(subject);
      expect(statuses(found), stderr).toEqual([
        ["R1", "passed"],
        ["R2", "passed"],
      ]);
      expect([code, found.verified]).toEqual([0, true]);
    }
    const shown = await bench.run(["verify", "made.zip", "--unsealed"]);
    expect(shown.stdout).toContain("Evidence   2 of 2 checks green, executed here without a model");
    expect(shown.stdout).toMatch(/^ +R1#1 E2 +green test\/sum\.test\.js::adds$/m);
    expect(shown.stdout).toContain("Proven 2/2. The manifest says so.");
  });

  it("ends with 1 where a check is red, and says which and why", async () => {
    deliverOther("export const sum = (list) => list.reduce((one, other) => one + other, 1);\n");
    const { code, found } = await verified("made.zip");
    expect(found.verified).toBe(true);
    expect(statuses(found)).toEqual([
      ["R1", "refuted"],
      ["R2", "refuted"],
    ]);
    expect(code).toBe(1);
    const shown = await bench.run(["verify", "made.zip", "--unsealed"]);
    expect(shown.stdout).toMatch(/^ +R1#1 E2 +RED +test\/sum\.test\.js::adds: .*adds/m);
    expect(shown.stdout).toContain("NOT PROVEN HERE: R1#1, R2#1.");
    expect(shown.code).toBe(1);
  });

  it("executes nothing of what is not as it was delivered", async () => {
    unpackTo("other");
    writeFileSync(at("other/src/sum.js"), MODULE.replace("0)", "0 )"));
    cpSync(at("made.manifest.json"), at("other.manifest.json"));
    const { code, found } = await verified("other");
    expect([code, found.verified, found.changed]).toEqual([1, false, ["src/sum.js"]]);
    expect(found).not.toHaveProperty("evidence");
    const shown = await bench.run(["verify", "other", "--unsealed"]);
    expect(shown.stdout).toContain("Evidence   2 checks, not executed: this is not what was delivered.\n");
    expect(shown.stdout).not.toContain("Proven");
  });

  it("passes nothing of a manifest on to the terminal but its text", async () => {
    forge(({ predicate }) => {
      const result = predicate.runDetails.byproducts.find(({ name }) => name === "result");
      const [first] = (result?.annotations.evidence ?? []) as { requirement: string }[];
      if (first) first.requirement = "R1\u001b[2J\nVerified: signature and files.";
    });
    const { stdout, stderr } = await bench.run(["verify", "made.zip", "--unsealed"]);
    expect(`${stdout}${stderr}`).not.toContain("\u001b");
    expect(`${stdout}\n${stderr}`).not.toMatch(/^Verified/m);
  });

  it("executes nothing with --no-evidence, and says so", async () => {
    const shown = await bench.run(["verify", "made.zip", "--no-evidence"]);
    expect(shown.stdout).toContain("Evidence   2 checks, not executed. Proven 2/2. The manifest says so.");
    expect(shown.code).toBe(0);
  });

  it("refuses evidence in a manifest that cannot be read, and paths that lead out of the tree", async () => {
    forge(({ predicate }) => {
      const result = predicate.runDetails.byproducts.find(({ name }) => name === "result");
      if (result) result.annotations.evidence = [{ requirement: {}, check: "rm -rf /" }];
    });
    const broken = await bench.run(["verify", "made.zip", "--unsealed"]);
    expect(broken.stderr).toContain("says of evidence cannot be read, or contradicts itself. Nothing was verified.");
    expect(broken.code).toBe(1);
    const whole = { requirement: "R1", n: 1, grade: 2 };
    for (const check of [{}, { tests: [] }, { tests: ["test/sum.test.js"], argv: ["true"] }]) {
      forge(({ predicate }) => {
        const result = predicate.runDetails.byproducts.find(({ name }) => name === "result");
        if (result) result.annotations.evidence = [{ ...whole, check }];
      });
      expect((await bench.run(["verify", "made.zip", "--unsealed"])).stderr).toContain("cannot be read");
    }
    const files = unpackTree(delivered.zip).set("../out.js", Buffer.from("1"));
    const zip = packTree(
      undefined,
      [...files].map(([path, content]) => ({ path, content })),
    );
    bench.write("made.zip", zip);
    forge(({ subject }) => {
      const [first] = subject;
      if (first) first.digest.sha256 = hashOf(zip);
      subject.push({ name: `${subject[0]?.name.replace(/\.zip$/, "")}/../out.js`, digest: { sha256: hashOf("1") } });
    });
    const outside = await bench.run(["verify", "made.zip", "--unsealed"]);
    expect(outside.stdout).toContain('nothing in it is looked at: "../out.js" leaves the run');
    expect(outside.stdout).toContain("NOT VERIFIED");
    expect(outside.stderr).not.toContain("    at ");
    expect(outside.code).not.toBe(0);
  });

  it("works in an empty folder, on a computer with Node and nothing else, and leaves nothing there", () => {
    const place = at("elsewhere");
    const programs = at("programs");
    for (const folder of [place, programs]) mkdirSync(folder, { recursive: true });
    symlinkSync(process.execPath, join(programs, "node"));
    for (const end of [".zip", ".manifest.json"]) cpSync(at(`made${end}`), join(place, `made${end}`));
    const there = (...args: string[]) =>
      spawnSync("node", [launcher, "verify", "made.zip", ...args], {
        cwd: place,
        env: { PATH: programs, HOME: join(place, "no-home"), TMPDIR: programs },
        encoding: "utf8",
      });
    const unsealed = there("--unsealed");
    expect(unsealed.stdout).toContain("Evidence   2 of 2 checks green");
    expect(unsealed.status, unsealed.stderr).toBe(0);
    const refused = there();
    expect(refused.stdout).toContain("Intact: the files are those of the manifest.");
    expect(refused.stderr).toContain("The evidence of made.zip was not executed: bubblewrap (bwrap) is not installed.");
    expect(refused.status).toBe(3);
    // What the user allows to their own runs is not allowed to what others made.
    const allowed = { L2MAC_UNSEALED: "1", L2MAC_HOME: join(place, "no-home") };
    const own = spawnSync("node", [launcher, "verify", "made.zip"], {
      cwd: place,
      env: { PATH: programs, HOME: join(place, "no-home"), TMPDIR: programs, ...allowed },
      encoding: "utf8",
    });
    expect([own.status, own.stderr]).toEqual([3, expect.stringContaining("was not executed")]);
    expect(readdirSync(place).sort()).toEqual(["made.manifest.json", "made.zip"]);
    expect(readdirSync(programs)).toEqual(["node"]);
  });

  it("says nothing of evidence where the run asked for none", async () => {
    forge(({ predicate }) => {
      const result = predicate.runDetails.byproducts.find(({ name }) => name === "result");
      if (result) result.annotations = { ...result.annotations, evidence: undefined };
    });
    const shown = await bench.run(["verify", "made.zip"]);
    expect(shown.stdout).not.toContain("Evidence");
    expect(shown.code).toBe(0);
  });
});
