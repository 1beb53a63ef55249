/** The manifest of a delivery is signed by AWS KMS, and the command verifies the fetched zip with the public key alone. */
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import type { Stage } from "../stage.ts";
import { type Act, ask, compute, json, must, mustStand, SHORT } from "./act.ts";
import { zipOf } from "./whole-run.ts";

export const signed: Act = {
  name: "AWS KMS signs a manifest, and the zip is verified without an account; a run whose signature is denied says so",
  async play(stage) {
    const bench = aBench();
    try {
      const id = await mustBeSigned(stage, bench);
      await mustNameChanges(bench);
      await mustDeliverUnsigned(stage, id);
    } finally {
      bench.remove();
    }
  },
};

const VERIFY = ["verify", "delivery.zip", "--key", "signer.pem", "--no-evidence"];

async function mustBeSigned(stage: Stage, bench: Bench): Promise<string> {
  const run = await compute(stage, SHORT);
  mustStand(run, "completed");
  const { keyid, publicKey } = json(await ask(stage, "GET /signing-key"));
  const manifest = await ask(stage, `GET /runs/${run.id}/manifest`);
  const [{ keyid: signedBy }] = json(manifest).signatures;
  must("The signature names the key that the API shows", signedBy === keyid, { signedBy, keyid });
  bench.write("signer.pem", publicKey);
  bench.write("delivery.zip", await zipOf(stage, run.id));
  bench.write("delivery.manifest.json", manifest.bytes);
  const verified = await bench.run(VERIFY);
  must("It is verified", verified.code === 0, verified);
  must("By its signature", verified.stdout.includes("Verified: signature and files."), verified.stdout);
  return run.id;
}

/** One byte each: of a file in the zip, and of the signed statement. */
async function mustNameChanges(bench: Bench): Promise<void> {
  const whole = bench.read("delivery.manifest.json");
  const envelope = JSON.parse(whole) as { payload: string };
  const statement = Buffer.from(envelope.payload, "base64").toString();
  const [, path = "", hash = ""] =
    /"digest":\{"sha256":"[0-9a-f]{64}"\},"name":"[^"/]+\/([^"]+)"/.exec(statement) ?? [];
  must("The statement names a file", path !== "", { path, hash });
  const at = statement.indexOf(`/${path}"`);
  const before = statement.lastIndexOf('"sha256":"', at) + '"sha256":"'.length;
  const changed = `${statement.slice(0, before)}${statement[before] === "0" ? "1" : "0"}${statement.slice(before + 1)}`;
  bench.write(
    "delivery.manifest.json",
    JSON.stringify({ ...envelope, payload: Buffer.from(changed).toString("base64") }),
  );
  const wrong = await bench.run(VERIFY);
  must("A changed manifest fails", wrong.code === 1, wrong);
  must("By its signature", /Signature +WRONG/.test(wrong.stdout), wrong.stdout);
  must("And names the file", wrong.stdout.includes(`changed: ${path}`), wrong.stdout);
}

async function mustDeliverUnsigned(stage: Stage, id: string): Promise<void> {
  const run = await stage.without({ role: /Deliver/, action: "kms:Sign" }, () => compute(stage, SHORT));
  mustStand(run, "completed");
  must("It says why it is not signed", /not signed: .*\(kms:Sign: AccessDeniedException\)/.test(run.detail ?? ""), run);
  const { signatures } = json(await ask(stage, `GET /runs/${run.id}/manifest`));
  must("It has its manifest all the same", run.id !== id && signatures.length === 0, signatures);
}
