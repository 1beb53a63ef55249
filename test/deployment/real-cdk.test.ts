/** The project's own cdk and template against an emulated account, as far as the emulator goes. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { moto, type Running } from "../../packages/aws-rehearsal/emulators/emulators.ts";
import { anAccount } from "./account.ts";
import { aDeploymentBench, type DeploymentBench, IMAGE, PINNED_NODE } from "./bench.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const app = [PINNED_NODE, fileURLToPath(new URL("without-secret.mjs", import.meta.url)), project];
const { context } = JSON.parse(readFileSync(join(project, "cdk.json"), "utf8"));
/** The emulator cannot delete a network that anything was in. */
const config = { evaluator: { image: IMAGE, vpc: false } };

describe.skipIf(!moto.isThere)(`the real cdk, with ${moto.title}`, () => {
  let running: Running;
  let bench: DeploymentBench;
  let account: ReturnType<typeof anAccount>;

  beforeAll(async () => {
    running = await moto.start();
    account = anAccount(running.endpoint, "eu-west-1");
    // The emulator finds a template by a name of this kind only.
    const forTemplates = running.endpoint.replace("127.0.0.1", "localhost");
    bench = aDeploymentBench({ ...account.env, AWS_ENDPOINT_URL_S3_FOR_CLOUDFORMATION: forTemplates });
    bench.write("cdk.json", JSON.stringify({ app: app.join(" "), context, versionReporting: false }));
    bench.write("cdk.mjs", `import ${JSON.stringify(join(project, "node_modules/aws-cdk/bin/cdk"))};\n`);
    bench.write("l2mac.cloud.json", JSON.stringify(config));
  });
  afterAll(async () => {
    bench?.remove();
    await running?.stop();
  });

  /** What the app synthesises, without what bootstrapping and publishing would have made. */
  function template() {
    const [node = "", ...argv] = app;
    const CDK_OUTDIR = join(bench.folder, "synthesised");
    const CDK_CONTEXT_JSON = JSON.stringify({ ...context, l2mac: config });
    spawnSync(node, argv, { env: { ...bench.env, CDK_OUTDIR, CDK_CONTEXT_JSON } });
    const text = readFileSync(join(CDK_OUTDIR, "L2mac.template.json"), "utf8");
    const { Parameters: _, Rules: __, ...rest } = JSON.parse(text);
    for (const { Properties } of Object.values<{ Properties?: { Code?: object } }>(rest.Resources)) {
      if (Properties?.Code && "S3Bucket" in Properties.Code) Properties.Code = { ZipFile: "" };
    }
    return rest;
  }

  it("deletes the stack, and names the table, both buckets and the log role as kept", async () => {
    await account.createStack("L2mac", template());
    const { code, said } = await bench.run(["destroy", "--yes"]);
    expect(said).toMatch(/the table L2mac-StorageRegistry\w+-\w+ with the registry of all runs/);
    expect(said.match(/ {4}aws s3 rb s3:\/\//g)).toHaveLength(2);
    expect(said).toMatch(/the role L2mac-ApiRestCloudWatchRole\S+, with which API Gateway writes logs/i);
    expect(said).toContain("0 runs: kept");
    expect(said).toContain("✔ deleted    L2mac");
    expect(code).toBe(0);
  });

  /** The emulator cannot resolve the version among the outputs of the real bootstrap stack, hence the second one. */
  async function bootstrapAccount(command: string, region: string) {
    const place = ["--toolkit-stack-name", "Toolkit", "--output", join(bench.folder, "bootstrap")];
    const env = { ...bench.env, AWS_REGION: region };
    const { status, stderr } = spawnSync(PINNED_NODE, ["cdk.mjs", ...command.split(" "), ...place], {
      ...{ cwd: bench.folder, env, encoding: "utf8" },
    });
    await anAccount(running.endpoint, region).bootstrap(21);
    return status === 0 ? "bootstrapped" : stderr;
  }

  it("publishes the code and hands the stack to CloudFormation, once the account is bootstrapped", async () => {
    bench.write("l2mac.cloud.json", JSON.stringify({ evaluator: { image: IMAGE.replace("west", "central") } }));
    const deploy = () => bench.run(["deploy", "--yes", "--region", "eu-central-1"]);
    const refused = await deploy();
    const [, command = ""] = /npx cdk (bootstrap \S+)/.exec(refused.said) ?? [];
    const bootstrapped = await bootstrapAccount(command, "eu-central-1");
    const { code, said } = await deploy();
    expect([refused.code, bootstrapped]).toEqual([3, "bootstrapped"]);
    expect(said).toMatch(/✔ bootstrap {2}CDKToolkit, version \d+/);
    expect(said).toContain("L2mac: creating CloudFormation changeset...");
    // The emulator creates the contents of a change set twice, and fails.
    expect(said).toContain("❌  L2mac failed to deploy");
    expect(said).toContain("L2mac was not deployed; the errors of cdk are above.");
    expect(code).toBe(3);
  });

  it.skipIf(!existsSync("/usr/bin/script"))(
    "shows the permissions on a terminal, and deploys nothing if declined",
    async () => {
      const image = IMAGE.replace("west-1", "north-1");
      bench.write("l2mac.cloud.json", JSON.stringify({ evaluator: { image } }));
      await bootstrapAccount("bootstrap aws://123456789012/eu-north-1", "eu-north-1");
      const answers: [string, string][] = [["Do you wish to deploy these changes?", "n\n"]];
      const { code, out } = await bench.onTerminal(["deploy", "--region", "eu-north-1"], answers);
      expect(out).toContain("IAM Statement Changes");
      expect(out).toContain("Nothing was deployed, and nothing is charged.");
      expect(code).toBe(1);
    },
  );
});
