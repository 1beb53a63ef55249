/** The simulated deployment of the synthesised stack, with names assigned and references resolved. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Deployment } from "../parts.ts";
import { type Assembly, readAssembly, synthesise, type Template } from "./assembly.ts";
import { definitionOf, withLoopLimit } from "./definition.ts";
import { type DeploymentTarget, deploy } from "./deploy.ts";
import { evaluatorPatience } from "./evaluator-patience.ts";
import { PLACE, resourceIn } from "./quick-deployment.ts";

const folder = mkdtempSync(join(tmpdir(), "l2mac-deploy-"));
const into = join(folder, "deployed");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("what cdk synth made", () => {
  let assembly: Assembly;
  let deployed: Deployment;
  beforeAll(async () => {
    mkdirSync(join(folder, "cdk.out"));
    assembly = readAssembly(await synthesise(join(folder, "cdk.out")));
    deployed = deploy(assembly, { ...PLACE, into });
  });

  it("has no reference left", () => {
    expect(Object.keys(deployed.resources)).toEqual(Object.keys(assembly.template.Resources));
    const text = JSON.stringify([deployed.resources, deployed.outputs]);
    expect(text.match(/"Ref":|"Fn::\w+|\$\{AWS::\w+/g)).toBeNull();
  });

  it("has names as CloudFormation gives them, the same each time", () => {
    const [bucket, table] = [
      resourceIn(deployed, "AWS::S3::Bucket", "StorageFiles"),
      resourceIn(deployed, "AWS::DynamoDB::Table"),
    ];
    expect(bucket.ref).toMatch(/^l2mac-storagefiles[0-9a-f]{8}-[a-z0-9]{12}$/);
    expect(table.arn).toBe(`arn:aws:dynamodb:eu-central-1:111122223333:table/${table.ref}`);
    for (const { ref, type } of Object.values(deployed.resources))
      if (type === "AWS::Lambda::Function" || type === "AWS::IAM::Role") expect(ref.length).toBeLessThanOrEqual(64);
    const again = deploy(assembly, { ...PLACE, into });
    expect(again).toEqual(deployed);
    expect(deploy(assembly, { ...PLACE, region: "us-east-1", into }).outputs.Bucket).not.toBe(bucket.ref);
  });

  it("gives functions their environment, their role and their log", () => {
    const execute = resourceIn(deployed, "AWS::Lambda::Function", "ControlUnitExecute");
    const evaluator = resourceIn(deployed, "AWS::Lambda::Function", "EvaluatorFunction");
    expect(execute.properties.Environment).toMatchObject({
      Variables: {
        TABLE_NAME: deployed.outputs.Table,
        BUCKET_NAME: deployed.outputs.Bucket,
        EVALUATOR_FUNCTION: evaluator.ref,
      },
    });
    const impatient = deploy(assembly, { ...PLACE, into, ...evaluatorPatience(30) });
    const settingsOf = (logicalId: string) =>
      resourceIn(impatient, "AWS::Lambda::Function", logicalId).properties.Environment;
    expect(settingsOf("ControlUnitExecute")).toMatchObject({ Variables: { EVALUATOR_DENIED_SECONDS: "30" } });
    expect(settingsOf("ControlUnitPlan")).not.toMatchObject({ Variables: { EVALUATOR_DENIED_SECONDS: "30" } });
    expect(execute.properties.Role).toBe(resourceIn(deployed, "AWS::IAM::Role", "ControlUnitExecuteRole").arn);
    expect(resourceIn(deployed, "AWS::Logs::LogGroup", "ControlUnitLog")).toMatchObject({
      ref: "/aws/vendedlogs/states/L2mac-control-unit",
      arn: "arn:aws:logs:eu-central-1:111122223333:log-group:/aws/vendedlogs/states/L2mac-control-unit:*",
    });
  });

  it("lays the functions' code where no package can be found, and knows the image's folder", () => {
    const { codeFolder = "" } = resourceIn(deployed, "AWS::Lambda::Function", "ApiFunction");
    expect(codeFolder.startsWith(into)).toBe(true);
    expect(existsSync(join(codeFolder, "entry.mjs"))).toBe(true);
    const evaluator = resourceIn(deployed, "AWS::Lambda::Function", "EvaluatorFunction");
    const { ImageUri } = evaluator.properties.Code as { ImageUri: string };
    expect(ImageUri).toMatch(/^111122223333\.dkr\.ecr\.eu-central-1\.amazonaws\.com\//);
    expect(readFileSync(join(assembly.imageFolder(ImageUri), "Dockerfile"), "utf8")).toContain("FROM");
    expect(evaluator).not.toHaveProperty("codeFolder");
    expect(() => assembly.codeFolder("nothing.zip")).toThrow("No asset is published as nothing.zip");
    expect(() => assembly.imageFolder("somewhere:else")).toThrow("No image is published as somewhere:else");
  });

  it("is not laid where packages can be found", () => {
    const inside = fileURLToPath(new URL("deployed", import.meta.url));
    expect(() => deploy(assembly, { ...PLACE, into: inside })).toThrow(/Packages can be found in/);
  });

  it("has a definition without placeholders, whose loops can be made fewer", () => {
    const machine = resourceIn(deployed, "AWS::StepFunctions::StateMachine");
    expect(machine.ref).toBe("arn:aws:states:eu-central-1:111122223333:stateMachine:L2mac-control-unit");
    const definition = definitionOf(machine);
    expect(definition).not.toMatch(/\$\{/);
    expect(definition).toContain(resourceIn(deployed, "AWS::Lambda::Function", "ControlUnitPlan").arn);
    expect(definition).toContain("1000");
    const fewer = deploy(assembly, { ...PLACE, into, override: withLoopLimit(3) });
    expect(definitionOf(resourceIn(fewer, "AWS::StepFunctions::StateMachine"))).toBe(
      definition.replaceAll("1000", "3"),
    );
    const without = { ...machine, properties: { ...machine.properties, DefinitionSubstitutions: {} } };
    expect(() => definitionOf(without)).toThrow(
      /The definition of ControlUnitStateMachine\w+ needs \w+, which nothing gives/,
    );
  });

  it("has outputs to paste", () => {
    const api = resourceIn(deployed, "AWS::ApiGateway::RestApi");
    expect(deployed.outputs.ApiUrl).toBe(`https://${api.ref}.execute-api.eu-central-1.amazonaws.com/v1/`);
    expect(deployed.outputs.FirstRehearsal).toContain("aws:amz:eu-central-1:execute-api");
    const china = deploy(assembly, { ...PLACE, partition: "aws-cn", region: "cn-north-1", into });
    expect(china.outputs.ApiUrl).toMatch(/execute-api\.cn-north-1\.amazonaws\.com\.cn\/v1\/$/);
  });
});

describe("a template", () => {
  const deployAs = (template: Template, deploying: Partial<DeploymentTarget> = {}) =>
    deploy(
      { stackName: "S", template, codeFolder: () => folder, imageFolder: () => folder },
      { ...PLACE, into, ...deploying },
    );
  const queue = (Properties: Record<string, unknown> = {}) => ({ Type: "AWS::SQS::Queue", Properties });
  const output = (Value: unknown, Resources: Template["Resources"] = {}) =>
    deployAs({ Resources, Outputs: { It: { Value } } }).outputs.It;

  const written = (name: string) => `\${${name}}`;

  it.each([
    [{ "Fn::Join": ["-", ["a", { Ref: "AWS::Region" }]] }, "a-eu-central-1"],
    [
      { "Fn::Sub": `${written("AWS::AccountId")}.${written("Q.QueueName")} ${written("!Literal")}` },
      `111122223333.named ${written("Literal")}`,
    ],
    [{ "Fn::Sub": [`${written("Own")} ${written("AWS::Partition")}`, { Own: { Ref: "AWS::StackName" } }] }, "S aws"],
    [{ "Fn::Select": ["1", { "Fn::Split": [",", "a,b,c"] }] }, "b"],
    [{ "Fn::Select": [0, { "Fn::GetAZs": "" }] }, "eu-central-1a"],
    [{ "Fn::GetAtt": "Q.Arn" }, "arn:aws:sqs:eu-central-1:111122223333:named"],
    [{ Ref: "Q" }, "https://sqs.eu-central-1.amazonaws.com/111122223333/named"],
  ])("resolves %j", (value, expected) => {
    expect(output(value, { Q: queue({ QueueName: "named" }) })).toBe(expected);
  });

  it("resolves conditions, leaves out what has no value, and takes a parameter's default", () => {
    const deployed = deployAs({
      Parameters: { Size: { Type: "String", Default: "large" } },
      Conditions: {
        IsLarge: { "Fn::Equals": [{ Ref: "Size" }, "large"] },
        IsSmall: { "Fn::Not": [{ Condition: "IsLarge" }] },
      },
      Resources: {
        Q: queue({
          One: { "Fn::If": ["IsLarge", "yes", "no"] },
          Two: { "Fn::If": ["IsSmall", "yes", { Ref: "AWS::NoValue" }] },
        }),
        Small: { ...queue(), Condition: "IsSmall" },
      },
      Outputs: { Small: { Value: "x", Condition: "IsSmall" } },
    });
    expect(deployed.resources.Q?.properties).toEqual({ One: "yes" });
    expect(deployed.resources).not.toHaveProperty("Small");
    expect(deployed.outputs).toEqual({});
  });

  it.each([
    ["an intrinsic function", () => output({ "Fn::ImportValue": "x" }), "Fn::ImportValue is not played"],
    [
      "an attribute",
      () => output({ "Fn::GetAtt": ["Q", "Depth"] }, { Q: queue() }),
      "The attribute Depth of AWS::SQS::Queue (Q) is not known",
    ],
    [
      "a type",
      () => deployAs({ Resources: { It: { Type: "AWS::Glue::Job" } } }),
      "What AWS::Glue::Job (It) is called is not known",
    ],
    ["a name", () => output({ Ref: "Nothing" }), "Ref names Nothing"],
    ["a condition", () => output({ "Fn::If": ["Never", 1, 2] }), "There is no condition Never"],
    [
      "a parameter without a default",
      () => deployAs({ Parameters: { P: { Type: "String" } }, Resources: { Q: queue({ A: { Ref: "P" } }) } }),
      "The parameter P has no default",
    ],
    [
      "a circle",
      () => deployAs({ Resources: { A: queue({ X: { Ref: "B" } }), B: queue({ X: { Ref: "A" } }) } }),
      "These wait for one another: A, B, A",
    ],
  ])("that has %s that is not known is refused, and what it is is named", (_, deploying, message) => {
    expect(deploying).toThrow(message);
  });
});
