/** `l2mac doctor --remote` with an emulated account, and a local server for the rehearsal. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { moto, type Running } from "../../packages/aws-rehearsal/emulators/emulators.ts";
import { aBench, type Bench } from "../doubles/command.ts";
import { anAccount } from "./account.ts";

interface DoctorReport {
  works: boolean;
  findings: { what: string; state: string; says: string; next?: object[] }[];
}

const trust = { Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" };
const evaluator = {
  Role: {
    Type: "AWS::IAM::Role",
    Properties: { AssumeRolePolicyDocument: { Version: "2012-10-17", Statement: [trust] } },
  },
  Evaluator: {
    Type: "AWS::Lambda::Function",
    Properties: {
      ...{ FunctionName: "evaluator", Runtime: "nodejs24.x", Handler: "index.handler", Code: { ZipFile: "" } },
      Role: { "Fn::GetAtt": ["Role", "Arn"] },
    },
  },
};

const stack = (name: string, outputs: Record<string, string>, more: object = {}) => ({
  Resources: { Log: { Type: "AWS::Logs::LogGroup", Properties: { LogGroupName: name } }, ...more },
  Outputs: Object.fromEntries(Object.entries(outputs).map(([name, Value]) => [name, { Value }])),
});

describe.skipIf(!moto.isThere)(`examining a stack, with ${moto.title}`, () => {
  let running: Running;
  let account: ReturnType<typeof anAccount>;
  let bench: Bench;
  const ApiUrl = "https://abc.execute-api.eu-west-1.amazonaws.com/v1/";

  beforeAll(async () => {
    running = await moto.start();
    account = anAccount(running.endpoint, "eu-west-1");
    await account.bootstrap(21);
    const ModelKeySecret = await account.secret("key", "sk-live-never-shown");
    const whole = { ApiUrl, ModelKeySecret, EvaluatorFunction: "evaluator" };
    await account.createStack("L2mac", stack("/whole", whole, evaluator));
    await account.createStack("Torn", stack("/torn", { ...whole, EvaluatorFunction: "absent" }));
    await account.createStack("Young", stack("/young", { ApiUrl, ModelKeySecret: await account.secret("young") }));
  });
  afterAll(() => running?.stop());
  beforeEach(() => {
    bench = aBench({ ...account.env, AWS_EC2_METADATA_DISABLED: "true" });
  });
  afterEach(() => bench.remove());

  const examine = async (...flags: string[]) => {
    const { code, stdout, stderr } = await bench.run(["doctor", "--remote", "--json", ...flags]);
    const { works, findings } = JSON.parse(stdout) as DoctorReport;
    const of = (what: string) => findings.find((finding) => finding.what === what);
    return { code, works, findings, of, all: stdout + stderr };
  };

  it("finds the account, the bootstrap, the stack and its key, and shows no key", async () => {
    const { of, all, code } = await examine("--no-run");
    expect(of("account")?.says).toContain("123456789012");
    expect(of("region")?.says).toBe("eu-west-1");
    expect(of("bootstrap")).toMatchObject({ state: "ok", says: "CDKToolkit, version 21" });
    expect(of("stack")).toMatchObject({ state: "ok" });
    expect(of("stack")?.says).toContain(ApiUrl);
    expect(of("key")).toMatchObject({ state: "ok" });
    expect(all).not.toContain("sk-live-never-shown");
    expect(code).toBe(0);
  });

  it("finds the state of the evaluator, and where it differs from the configuration", async () => {
    const { of } = await examine("--no-run");
    expect(of("evaluator")).toMatchObject({ state: "note" });
    expect(of("evaluator")?.says).toMatch(
      /^ready: .*differs from the configuration in "evaluator\.vpc", "evaluator\.tenants"/,
    );
    bench.write("l2mac.cloud.json", '{"evaluator": {"vpc": false, "tenants": false}}');
    expect((await examine("--no-run")).of("evaluator")).toMatchObject({ state: "ok" });
  });

  it("ends with 3 if something is missing, here the evaluator's function", async () => {
    bench.write("l2mac.cloud.json", '{"stackName": "Torn"}');
    const { code, works, of } = await examine("--no-run");
    expect(of("evaluator")).toMatchObject({ state: "missing" });
    expect([code, works]).toEqual([3, false]);
  });

  it("reports a missing key as a note, since rehearsals work without it", async () => {
    bench.write("l2mac.cloud.json", '{"stackName": "Young"}');
    const { code, of } = await examine("--no-run");
    expect(of("key")).toMatchObject({ state: "note" });
    expect(of("key")).toMatchObject({ next: [{ command: "deploy", args: ["--set-key"] }] });
    expect(code).toBe(0);
  });

  it("names the API first, even if its address comes from the stack", async () => {
    const { stderr } = await bench.run(["doctor", "--remote", "--no-run"]);
    expect(stderr).toBe(`Remote: ${ApiUrl.slice(0, -1)} as the credentials in the environment\n`);
  });

  it("reports a missing stack, and how to deploy one", async () => {
    bench.write("l2mac.cloud.json", '{"stackName": "Elsewhere"}');
    const { code, of } = await examine();
    expect(of("stack")?.says).toBe("the stack Elsewhere does not exist in this account and region");
    expect(of("run")).toMatchObject({ state: "missing" });
    expect(code).toBe(3);
  });

  it("computes a rehearsal through the API, and compares its output with the announced one", async () => {
    bench.write("l2mac.cloud.json", '{"stackName": "Young"}');
    const server = bench.start(["serve", "--port", "0"]);
    await server.says("Serving");
    const url = await server.answers();
    const { stdout, stderr, code } = await bench.run(["doctor", "--remote", url]);
    server.child.kill("SIGTERM");
    await server.ended();
    expect(stdout).toMatch(/^✔ api {8}http:\/\/127\.0\.0\.1:\d+ answers\n/);
    expect(stdout).toMatch(/✔ run {8}rehearsal \w{26} completed: \d instructions/);
    expect(stdout).toMatch(/✔ checks {5}the evaluator ran the tests: \d+ passed/);
    expect(stdout).toMatch(/✔ output {5}a zip of \d+ files, fetched by link; its sha256 matches/);
    expect(stdout).toContain("It works");
    expect(stderr).toMatch(/^Remote: http:\/\/127\.0\.0\.1:\d+ as the user of this computer\n/);
    expect(stderr).toContain("turn 1");
    expect(code).toBe(0);
  });

  it("reports an API that does not answer", async () => {
    bench.write("l2mac.cloud.json", '{"stackName": "Young"}');
    const { code, stdout } = await bench.run(["doctor", "--remote", "http://127.0.0.1:9"]);
    expect(stdout).toMatch(/✘ api {8}The API at http:\/\/127\.0\.0\.1:9 cannot be reached/);
    expect(stdout).not.toContain("    at ");
    expect(code).toBe(3);
  });

  it("reports missing credentials, and runs all other checks", async () => {
    const env = { AWS_EC2_METADATA_DISABLED: "true", AWS_REGION: "eu-west-1", L2MAC_API_URL: ApiUrl };
    const stranger = aBench(env);
    const { code, stdout, stderr } = await stranger.run(["doctor", "--remote", "--json"]);
    const { findings } = JSON.parse(stdout) as DoctorReport;
    expect(findings.find(({ what }) => what === "account")?.says).toContain("Could not load credentials");
    expect(findings.find(({ what }) => what === "run")?.says).toContain("No request can be signed");
    expect(stderr).toBe(`Remote: ${ApiUrl.slice(0, -1)} as the user that the AWS tools find (L2MAC_API_URL)\n`);
    expect(code).toBe(3);
    stranger.remove();
  });
});

describe("examining a local server", () => {
  it("asks AWS nothing, names no switch of a deployment, and works if the server does", async () => {
    const bench = aBench({ AWS_EC2_METADATA_DISABLED: "true", AWS_PROFILE: "nosuch" });
    bench.write("l2mac.cloud.json", '{"evaluator": {"no such": true}}');
    const server = bench.start(["serve", "--port", "0"]);
    await server.says("Serving");
    const url = await server.answers();
    const { stdout, stderr, code } = await bench.run(["doctor", "--remote", url]);
    server.child.kill("SIGTERM");
    await server.ended();
    bench.remove();
    const looked = stdout.split("\n").flatMap((line) => /^(. \w+)/u.exec(line)?.[1] ?? []);
    expect(looked.filter((each) => !each.startsWith("It"))).toEqual(["✔ api", "✔ run", "✔ checks", "✔ output"]);
    expect(stdout).not.toMatch(/tenants|noDns|denyRole|vpc/);
    expect(stdout).toContain(`It works: l2mac run --remote ${url} "<task>"`);
    expect(stderr).toMatch(/^Remote: http/);
    expect(code).toBe(0);
  });
});
