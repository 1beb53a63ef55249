/** `l2mac deploy` against an emulated account, with a stand-in for cdk that records its calls. */
import { existsSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { moto, type Running } from "../../packages/aws-rehearsal/emulators/emulators.ts";
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

  it("checks the account, deploys, stores the key, and prints the next commands", async () => {
    const { code, said, out } = await bench.run([...given, "--yes", "--key-stdin"], { input: `${KEY}\n` });
    expect(said).toContain("✔ account    123456789012");
    expect(said).toContain("✔ bootstrap  CDKToolkit, version 21");
    expect(said).toContain("export L2MAC_API_URL=https://abc.execute-api.eu-west-1.amazonaws.com/v1\n");
    expect(said).toContain("about $0.60 a month");
    expect([code, out]).toEqual([0, `${API}\n`]);
    expect(bench.calls().map(({ argv }) => argv[0])).toEqual(["deploy"]);
    expect(await account.valueOf(secret)).toBe(KEY);
  });

  it("runs the project's cdk on the pinned Node, with the configuration, and without questions after --yes", async () => {
    await bench.run([...given, "--yes", "--region", "eu-west-1"], { env: { AWS_REGION: "us-east-1" } });
    const [deploy] = bench.calls();
    expect(deploy).toMatchObject({ node: PINNED_NODE, cwd: bench.folder, stdin: "" });
    expect(deploy?.env).toMatchObject({ BUILDX_NO_DEFAULT_ATTESTATIONS: "1", AWS_REGION: "eu-west-1" });
    const context = deploy?.argv.find((each) => each.startsWith("l2mac=")) ?? "";
    expect(JSON.parse(context.slice("l2mac=".length)).evaluator).toMatchObject({ image: IMAGE, vpc: true });
    expect(deploy?.argv.join(" ")).toContain("--require-approval never");
    expect(deploy?.argv.join(" ")).toContain("--region eu-west-1");
  });

  it("deploys where a configuration of version 0.2.0 names a program, with a note, and refuses the flag for one", async () => {
    const refused = await bench.run([...given, "--yes", "--program", "program.md"]);
    expect([refused.code, bench.calls()]).toEqual([2, []]);
    expect(refused.said).toContain(
      "The flag --program was removed: the state machine of a stack executes every program.",
    );
    bench.write("l2mac.cloud.json", '{"program": "gone.md"}');
    const { code, said } = await bench.run([...given, "--yes"]);
    expect([code, said.match(/program has no effect: [^.]*\./g)]).toEqual([
      0,
      ["program has no effect: the stack gets the general state machine, which executes every program."],
    ]);
  });

  it("never shows, writes or passes on a key: neither the stored one nor one of the environment", async () => {
    const env = { OPENAI_API_KEY: "sk-of-the-environment" };
    const { said, out } = await bench.run([...given, "--yes", "--key-stdin"], { input: KEY, env });
    const seen = `${said}${out}${bench.everything()}`;
    expect(bench.calls()).toHaveLength(1);
    expect(seen).not.toContain(KEY);
    expect(seen).not.toContain("sk-of-the-environment");
  });

  it("keeps a key that is set, unless --set-key replaces it", async () => {
    const first = await bench.run([...given, "--yes", "--key-stdin"], { input: KEY });
    const second = await bench.run([...given, "--yes", "--key-stdin"], { input: "sk-other" });
    expect(second.said).toContain("already set, and kept");
    expect(await account.valueOf(secret)).toBe(KEY);
    const third = await bench.run([...given, "--yes", "--key-stdin", "--set-key"], { input: "sk-other" });
    expect(await account.valueOf(secret)).toBe("sk-other");
    expect([first.code, second.code, third.code]).toEqual([0, 0, 0]);
  });

  describe("with a Git server in the configuration", () => {
    const TOKEN = "git-token-never-shown";
    let gitSecret: string;
    beforeEach(async () => {
      gitSecret = await account.secret(`git-${made}`);
      const outputs = { ApiUrl: API, ModelKeySecret: secret, GitTokenSecret: gitSecret };
      bench.write("outputs.json", JSON.stringify({ L2mac: outputs }));
      bench.write("l2mac.cloud.json", '{"git": {}}');
    });

    it("stores the server's token from standard input, and shows it nowhere", async () => {
      const { code, said, out } = await bench.run([...given, "--yes", "--set-git-token"], { input: `${TOKEN}\n` });
      expect(said).toContain("✔ Git token  stored");
      expect(code).toBe(0);
      expect(await account.valueOf(gitSecret)).toBe(TOKEN);
      await expect(account.valueOf(secret)).rejects.toThrow();
      expect(`${said}${out}${bench.everything()}`).not.toContain(TOKEN);
    });

    it("deploys nothing where the input is no token, is the model's key too, or there is no secret for it", async () => {
      const empty = await bench.run([...given, "--yes", "--set-git-token"], { input: "" });
      const both = await bench.run([...given, "--yes", "--set-git-token", "--key-stdin"], { input: TOKEN });
      bench.write("l2mac.cloud.json", "{}");
      const none = await bench.run([...given, "--yes", "--set-git-token"], { input: TOKEN });
      expect([empty.code, both.code, none.code, bench.calls()]).toEqual([2, 2, 3, []]);
      expect(empty.said).toContain("the input is empty");
      expect(both.said).toContain("exclude each other");
      expect(none.said).toContain('has no field "git"');
    });
  });

  it.each([
    ["", "the input is empty"],
    ["two words", "cannot be a key"],
  ])("refuses %j as a key before it does anything", async (input, why) => {
    const { code, said } = await bench.run([...given, "--yes", "--key-stdin"], { input });
    expect([code, bench.calls()]).toEqual([2, []]);
    expect(said).toContain(why);
  });

  it("deploys nothing without a terminal to confirm on", async () => {
    const { code, said } = await bench.run(given);
    expect(said).toContain("Run it on a terminal, or with --yes.");
    expect([code, bench.calls()]).toEqual([3, []]);
  });

  it("names the command that bootstraps the account if that is missing", async () => {
    const image = IMAGE.replace("eu-west-1", "eu-central-1");
    const env = { AWS_REGION: "eu-central-1" };
    const { code, said } = await bench.run(["deploy", "--evaluator-image", image, "--yes"], { env });
    expect(said).toContain("npx cdk bootstrap aws://123456789012/eu-central-1\n");
    expect(said).toContain("It cannot be deployed yet: bootstrap.");
    expect([code, bench.calls()]).toEqual([3, []]);
  });

  it("lets CodeBuild build the image where Docker is missing, and says so", async () => {
    const { code, said } = await bench.run(["deploy", "--yes"], { env: { PATH: "/nonexistent" } });
    expect(said).toMatch(/✔ image +Docker is not installed, so CodeBuild builds it for (x86_64|arm64) in the account/);
    expect(code).toBe(0);
    const [deploy] = bench.calls();
    const context = deploy?.argv[deploy.argv.indexOf("-c") + 1] ?? "";
    expect(JSON.parse(context.slice("l2mac=".length))).toMatchObject({ evaluator: { build: "codebuild" } });
  });

  it("says how to get an image where Docker is required and missing, and does nothing else", async () => {
    bench.write("l2mac.cloud.json", JSON.stringify({ evaluator: { build: "docker" } }));
    const { code, said } = await bench.run(["deploy", "--yes"], { env: { PATH: "/nonexistent" } });
    expect(said).toContain("✘ docker     Docker is not installed");
    expect(said).toContain("docs/deploy.md#on-another-computer");
    expect([code, bench.calls()]).toEqual([3, []]);
  });

  it("refuses an image of another region", async () => {
    const { code, said } = await bench.run([...given, "--yes"], { env: { AWS_REGION: "eu-west-3" } });
    expect(said).toContain("is in eu-west-1; Lambda can load it only from eu-west-3");
    expect([code, bench.calls()]).toEqual([3, []]);
  });

  it("names the switch that a failed deployment needs, shows the whole error, and stores no key", async () => {
    const event =
      'L2mac |  41/97 | 10:02:11 AM | CREATE_FAILED        | AWS::Lambda::Function | Evaluator/Function (Ev1) Resource handler returned message: "extraneous key [TenancyConfig] is not permitted"';
    bench.write("deploy.txt", `L2mac: creating CloudFormation changeset...\n${event}\n❌  L2mac failed to deploy\n`);
    bench.write("deploy.fails", "");
    const { code, said } = await bench.run([...given, "--yes", "--key-stdin"], { input: KEY });
    expect(said).toContain(event.slice(event.indexOf("Resource handler")));
    expect(said).toContain('"evaluator": { "tenants": false }');
    expect(said).toContain("nothing is charged");
    expect(code).toBe(3);
    await expect(account.valueOf(secret)).rejects.toThrow();
  });

  it("names the wrong field of a configuration", async () => {
    bench.write("l2mac.cloud.json", '{"evaluator": {"dns": false}}');
    const { code, said } = await bench.run(given);
    expect(said).toMatch(/l2mac\.cloud\.json[\s\S]*dns/);
    expect([code, bench.calls()]).toEqual([3, []]);
  });

  it.each([
    ["credentials", { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "" }, "aws sso login"],
    ["a region", { AWS_REGION: "" }, "Set AWS_REGION"],
  ])("does nothing without %s, and explains where to set them", async (_, env, why) => {
    const { code, said } = await bench.run([...given, "--yes"], { env });
    expect(said).toContain(why);
    expect(said).not.toContain("    at ");
    expect([code, bench.calls()]).toEqual([3, []]);
  });

  describe.skipIf(!existsSync("/usr/bin/script"))("on a terminal", () => {
    it("lets cdk show the changes and ask, then asks for a key that it does not show", async () => {
      bench.write("deploy.asks", "Do you wish to deploy these changes? (y/n) ");
      const { code, out } = await bench.onTerminal(given, [
        ["Do you wish to deploy these changes? (y/n)", "y\n"],
        ["(not shown; Enter skips):", `${KEY}\n`],
      ]);
      expect(out).toContain("✔ key        stored");
      expect(out).not.toContain(KEY);
      expect(await account.valueOf(secret)).toBe(KEY);
      expect(bench.calls().at(-1)?.argv.join(" ")).toContain("--require-approval any-change");
      expect(code).toBe(0);
    });

    it("deploys without a key if Enter skips it", async () => {
      const { code, out } = await bench.onTerminal([...given, "--yes"], [["Enter skips):", "\r"]]);
      expect(out).toContain("npx l2mac deploy --set-key");
      expect(code).toBe(0);
    });

    it("deploys nothing if the user declines", async () => {
      bench.write("deploy.asks", "Do you wish to deploy these changes? (y/n) ");
      const { code, out } = await bench.onTerminal(given, [["these changes? (y/n)", "n\n"]]);
      expect(out).toContain("Nothing was deployed, and nothing is charged.");
      expect(code).toBe(1);
    });

    it("explains after Ctrl-C that CloudFormation continues", async () => {
      bench.write("deploy.txt", "L2mac: deploying... [1/1]\n");
      bench.write("deploy.waits", "");
      const { code, out } = await bench.onTerminal([...given, "--yes"], [["deploying...", "\u0003"]]);
      expect(out).toContain("CloudFormation continues with what it has started.");
      expect(code).toBe(130);
    });

    it("explains after Ctrl-C at the key that the stack is deployed", async () => {
      const { code, out } = await bench.onTerminal([...given, "--yes"], [["Enter skips):", `${KEY}\u0003`]]);
      expect(out).toContain("Interrupted. The stack is deployed; its key is not stored.");
      expect(out).not.toContain(KEY);
      expect(code).toBe(130);
    });
  });
});
