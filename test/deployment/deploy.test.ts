/** `l2mac deploy` over the wire: an emulated account, and a stand-in for cdk that notes how it is called. */
import { existsSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { moto, type Running } from "../aws-rehearsal/emulators/emulators.ts";
import { anAccount } from "./account.ts";
import { aDeploymentBench, type DeploymentBench, IMAGE, PINNED_NODE } from "./bench.ts";

const KEY = "sk-live-0123456789-do-not-show";
const API = "https://abc.execute-api.eu-west-1.amazonaws.com/v1/";
const given = ["deploy", "--evaluator-image", IMAGE];

describe.skipIf(!moto.isThere)(`deploying, with ${moto.title}`, () => {
  let running: Running;
  let account: ReturnType<typeof anAccount>;
  let bench: DeploymentBench;
  let secret: string;
  let made = 0;

  beforeAll(async () => {
    running = await moto.start();
    account = anAccount(running.endpoint, "eu-west-1");
    await account.bootstrap(21);
  });
  afterAll(() => running?.stop());
  beforeEach(async () => {
    made += 1;
    secret = await account.secret(`key-${made}`);
    bench = aDeploymentBench(account.env);
    bench.write("outputs.json", JSON.stringify({ L2mac: { ApiUrl: API, ModelKeySecret: secret } }));
  });
  afterEach(() => bench.remove());

  it("describes, shows who may do what, deploys, stores the key, and says what to do next", async () => {
    const { code, said, out } = await bench.run([...given, "--yes", "--key-stdin"], { input: `${KEY}\n` });
    expect(said).toContain("✔ account    123456789012");
    expect(said).toContain("✔ bootstrap  CDKToolkit, version 21");
    expect(said).toContain("│ + │ * │ Deny │");
    expect(said).toContain("export L2MAC_API_URL=https://abc.execute-api.eu-west-1.amazonaws.com/v1\n");
    expect(said).toContain("about $0.60 a month");
    expect([code, out]).toEqual([0, `${API}\n`]);
    expect(bench.calls().map(({ argv }) => argv[0])).toEqual(["synth", "diff", "deploy"]);
    expect(await account.valueOf(secret)).toBe(KEY);
  });

  it("runs the project's cdk on the pinned Node, with the configuration, and asks nothing through it", async () => {
    await bench.run([...given, "--yes", "--region", "eu-west-1"], { env: { AWS_REGION: "us-east-1" } });
    const [synth, diff, deploy] = bench.calls();
    for (const call of [synth, diff, deploy]) {
      expect(call?.node).toBe(PINNED_NODE);
      expect(call?.cwd).toBe(bench.folder);
      expect(call?.stdin).toBe("");
      expect(call?.env).toMatchObject({ BUILDX_NO_DEFAULT_ATTESTATIONS: "1", AWS_REGION: "eu-west-1" });
    }
    const context = synth?.argv.find((each) => each.startsWith("l2mac=")) ?? "";
    expect(JSON.parse(context.slice("l2mac=".length)).evaluator).toMatchObject({ image: IMAGE, vpc: true });
    expect(diff?.argv).not.toContain("--require-approval");
    expect(deploy?.argv.join(" ")).toContain("--require-approval never");
    expect(deploy?.argv.join(" ")).toContain("--region eu-west-1");
  });

  it("shows, writes and passes on no key: neither the one that it stores nor one of the environment", async () => {
    const env = { OPENAI_API_KEY: "sk-of-the-environment" };
    const { said, out } = await bench.run([...given, "--yes", "--key-stdin"], { input: KEY, env });
    const seen = `${said}${out}${bench.everything()}`;
    expect(bench.calls()).toHaveLength(3);
    expect(seen).not.toContain(KEY);
    expect(seen).not.toContain("sk-of-the-environment");
  });

  it("keeps a key that is set, unless told to replace it", async () => {
    const first = await bench.run([...given, "--yes", "--key-stdin"], { input: KEY });
    const second = await bench.run([...given, "--yes", "--key-stdin"], { input: "sk-other" });
    expect(second.said).toContain("set already, and kept");
    expect(await account.valueOf(secret)).toBe(KEY);
    const third = await bench.run([...given, "--yes", "--key-stdin", "--set-key"], { input: "sk-other" });
    expect(await account.valueOf(secret)).toBe("sk-other");
    expect([first.code, second.code, third.code]).toEqual([0, 0, 0]);
  });

  it.each([
    ["", "nothing came"],
    ["two words", "cannot be a key"],
  ])("refuses %j as a key before anything is done", async (input, why) => {
    const { code, said } = await bench.run([...given, "--yes", "--key-stdin"], { input });
    expect([code, bench.calls()]).toEqual([2, []]);
    expect(said).toContain(why);
  });

  it("deploys nothing that nobody has confirmed", async () => {
    const { code, said } = await bench.run(given);
    expect(said).toContain("Run it on a terminal, or with --yes.");
    expect([code, bench.calls().map(({ argv }) => argv[0])]).toEqual([3, ["synth", "diff"]]);
  });

  it("names the command that prepares the account where that was not done, and does it when told", async () => {
    const elsewhere = { AWS_REGION: "eu-central-1" };
    const image = IMAGE.replace("eu-west-1", "eu-central-1");
    const refused = await bench.run(["deploy", "--evaluator-image", image], { env: elsewhere });
    expect(refused.said).toContain("Next: npx cdk bootstrap aws://123456789012/eu-central-1");
    expect([refused.code, bench.calls().map(({ argv }) => argv[0])]).toEqual([3, ["synth"]]);
    const { code } = await bench.run(["deploy", "--evaluator-image", image, "--yes"], { env: elsewhere });
    const bootstrap = bench.calls().find(({ argv }) => argv[0] === "bootstrap");
    expect(bootstrap?.argv).toContain("aws://123456789012/eu-central-1");
    expect(code).toBe(0);
  });

  it("says how to have an image where Docker is missing, and does nothing else", async () => {
    const { code, said } = await bench.run(["deploy", "--yes"], { env: { PATH: "/nonexistent" } });
    expect(said).toContain("✘ docker     Docker is not installed");
    expect(said).toContain(
      "l2mac deploy --evaluator-image 123456789012.dkr.ecr.eu-west-1.amazonaws.com/l2mac:evaluator",
    );
    expect([code, bench.calls()]).toEqual([3, []]);
  });

  it("shows an image of another region to be one that Lambda does not take", async () => {
    const { code, said } = await bench.run([...given, "--yes"], { env: { AWS_REGION: "eu-west-3" } });
    expect(said).toContain("lies in eu-west-1; Lambda takes it from eu-west-3 only");
    expect([code, bench.calls()]).toEqual([3, []]);
  });

  it("names the switch when a deployment fails over it, shows the error whole, and stores no key", async () => {
    const event =
      'L2mac |  41/97 | 10:02:11 AM | CREATE_FAILED        | AWS::Lambda::Function | Evaluator/Function (Ev1) Resource handler returned message: "Tenant isolation mode is not supported for this function"';
    bench.write("deploy.txt", `L2mac: creating CloudFormation changeset...\n${event}\n❌  L2mac failed to deploy\n`);
    bench.write("deploy.fails", "");
    const { code, said } = await bench.run([...given, "--yes", "--key-stdin"], { input: KEY });
    expect(said).toContain(event.slice(event.indexOf("Resource handler")));
    expect(said).toContain('"evaluator": { "tenants": false }');
    expect(said).toContain("nothing is charged");
    expect(code).toBe(3);
    await expect(account.valueOf(secret)).rejects.toThrow();
  });

  it("names the field of a configuration that is wrong", async () => {
    bench.write("l2mac.cloud.json", '{"evaluator": {"dns": false}}');
    const { code, said } = await bench.run(given);
    expect(said).toMatch(/l2mac\.cloud\.json[\s\S]*dns/);
    expect([code, bench.calls()]).toEqual([3, []]);
  });

  it.each([
    ["credentials", { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "" }, "no credentials were found"],
    ["a region", { AWS_REGION: "" }, "no region is set"],
  ])("does nothing without %s, and says where they come from", async (_, env, why) => {
    const { code, said } = await bench.run([...given, "--yes"], { env });
    expect(said).toContain(why);
    expect(said).not.toContain("    at ");
    expect([code, bench.calls()]).toEqual([3, []]);
  });

  describe.skipIf(!existsSync("/usr/bin/script"))("on a terminal", () => {
    it("asks before it deploys, and for a key that it does not show", async () => {
      const { code, out } = await bench.onTerminal(given, [
        ["Deploy this? [y/N]", "y\n"],
        ["(not shown; Enter skips):", `${KEY}\n`],
      ]);
      expect(out).toContain("✔ key        stored");
      expect(out).not.toContain(KEY);
      expect(await account.valueOf(secret)).toBe(KEY);
      expect(code).toBe(0);
    });

    it("deploys without a key where Enter skips it", async () => {
      const { code, out } = await bench.onTerminal([...given, "--yes"], [["Enter skips):", "\r"]]);
      expect(out).toContain("npx l2mac deploy --set-key");
      expect(code).toBe(0);
    });

    it("deploys nothing where the answer is anything but yes", async () => {
      const { code, out } = await bench.onTerminal(given, [["Deploy this? [y/N]", "\n"]]);
      expect(out).toContain("Nothing was deployed, and nothing is charged.");
      expect([code, bench.calls().some(({ argv }) => argv[0] === "deploy")]).toEqual([1, false]);
    });

    it("says that CloudFormation goes on when Ctrl-C comes while it is at work", async () => {
      bench.write("deploy.txt", "L2mac: deploying... [1/1]\n");
      bench.write("deploy.waits", "");
      const { code, out } = await bench.onTerminal([...given, "--yes"], [["CloudFormation begins", "\u0003"]]);
      expect(out).toContain("What CloudFormation has begun, it goes on with.");
      expect(code).toBe(130);
    });

    it("says that the stack stands when the key is answered with Ctrl-C", async () => {
      const { code, out } = await bench.onTerminal([...given, "--yes"], [["Enter skips):", `${KEY}\u0003`]]);
      expect(out).toContain("Interrupted. The stack is deployed; its key is not stored.");
      expect(out).not.toContain(KEY);
      expect(code).toBe(130);
    });
  });
});
