/** A run proves its requirements in the rehearsed cloud, and its zip is verified elsewhere: one changed byte is named. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packTree, unpackTree } from "../../../lib/pack/pack.ts";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import type { Stage } from "../stage.ts";
import { type Act, ask, compute, json, must, mustStand } from "./act.ts";
import { TASK, zipOf } from "./whole-run.ts";

export const proven: Act = {
  name: "a run proves its requirements, its signed zip proves them again elsewhere, and one changed byte is named",
  async play(stage) {
    const bench = aBench();
    try {
      await mustProve(stage, bench);
      await mustVerify(bench);
      await mustNameChangedFile(bench);
      await mustRefuseDamagedZip(bench);
    } finally {
      bench.remove();
    }
  },
};

const zipIn = ({ folder }: Bench): Buffer => readFileSync(join(folder, "proven.zip"));

const VERIFY = ["verify", "proven.zip", "--key", "signer.pem"];

async function mustProve(stage: Stage, bench: Bench): Promise<void> {
  const run = await compute(stage, { ...TASK, evidence: undefined });
  mustStand(run, "completed");
  const { proven: count } = run;
  must("All is proven", count !== undefined && count.total > 0 && count.proven === count.total, count);
  const { requirements } = json(await ask(stage, `GET /runs/${run.id}/evidence`));
  const grades = requirements.map(({ grade }: { grade: number }) => grade);
  must(
    "By assertions on stubs",
    grades.every((grade: number) => grade >= 2),
    grades,
  );
  const manifest = await ask(stage, `GET /runs/${run.id}/manifest`);
  bench.write("proven.manifest.json", manifest.bytes);
  bench.write("signer.pem", json(await ask(stage, "GET /signing-key")).publicKey);
  bench.write("proven.zip", await zipOf(stage, run.id));
}

async function mustVerify(bench: Bench): Promise<void> {
  const verified = await bench.run(VERIFY);
  must("The zip is verified", verified.code === 0, verified);
  must(
    "With all its checks, executed here",
    /(\d+) of \1 checks green, executed here/.test(verified.stdout),
    verified.stdout,
  );
}

async function mustNameChangedFile(bench: Bench): Promise<void> {
  const whole = zipIn(bench);
  const files = unpackTree(whole);
  const [path, bytes] = [...files].find(([path]) => path.endsWith(".js")) ?? [];
  must("There is a file of code", path !== undefined && bytes !== undefined);
  if (path === undefined || bytes === undefined) return;
  const changed = bytes.with(0, bytes[0] === 0x20 ? 0x0a : 0x20);
  bench.write("proven.zip", packTree(whole, [{ path, content: changed }]));
  const wrong = await bench.run(VERIFY);
  bench.write("proven.zip", whole);
  must("A changed file fails", wrong.code === 1, wrong);
  must("By its name", wrong.stdout.includes(`changed: ${path}`), wrong.stdout);
}

async function mustRefuseDamagedZip(bench: Bench): Promise<void> {
  const whole = zipIn(bench);
  const at = Math.floor(whole.length / 2);
  bench.write("proven.zip", whole.with(at, (whole[at] ?? 0) ^ 1));
  const wrong = await bench.run(VERIFY);
  must("A changed byte of the zip fails", wrong.code !== 0, wrong);
}
