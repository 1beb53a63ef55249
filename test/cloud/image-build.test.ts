/** The evaluator's image built in the stack, for computers without Docker. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildSpec } from "../../lib/cloud/build-spec.ts";
import { idleCost, unpricedTypes } from "../../lib/deployment/cost/idle-cost.ts";
import { type SynthesisedStack, synthesise } from "./synthesised.ts";

const config = { evaluator: { build: "codebuild" } };
let stack: SynthesisedStack;
beforeAll(() => {
  stack = synthesise(config, { nag: true });
});

const only = (type: string) => {
  const [[id, resource] = ["", undefined], ...others] = stack.ofType(type);
  expect([type, others]).toEqual([type, []]);
  return { id, properties: resource?.Properties ?? {}, resource };
};
const evaluator = () => stack.ofType("AWS::Lambda::Function").find(([id]) => id.startsWith("EvaluatorFunction"))?.[1];
const statementsOf = (role: string): { Action: string | string[]; Resource: unknown }[] => {
  const found = stack.ofType("AWS::IAM::Role").find(([id]) => id.startsWith(`EvaluatorImage${role}`))?.[1];
  const policies = (found?.Properties.Policies ?? []) as { PolicyDocument: { Statement: [] } }[];
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
};

describe("the image that CodeBuild builds", () => {
  it("is another one for another source or another processor, and is there before the function", () => {
    const { id, properties } = only("Custom::EvaluatorImage");
    expect(properties.image).toMatch(/^x86-64-[0-9a-f]{64}$/);
    expect(evaluator()).toMatchObject({ DependsOn: expect.arrayContaining([id]) });
    expect(JSON.stringify(evaluator()?.Properties.Code)).toContain(String(properties.image));
    // The log that the error of a failed first build names outlives the stack.
    const [, buildLog] =
      synthesise(config)
        .ofType("AWS::Logs::LogGroup")
        .find(([id]) => id.includes("BuildLog")) ?? [];
    expect(buildLog?.DeletionPolicy).toBe("Retain");
    const onArm = synthesise({ evaluator: { ...config.evaluator, architecture: "arm64" } });
    const [other] = onArm.ofType("Custom::EvaluatorImage");
    expect(other?.[1].Properties.image).toMatch(/^arm64-/);
    const [project] = onArm.ofType("AWS::CodeBuild::Project");
    expect(project?.[1].Properties).toMatchObject({ Environment: { Type: "ARM_CONTAINER", PrivilegedMode: true } });
  });

  it("is the same one whatever computer deploys", () => {
    const onArm = synthesise(config, { buildingOn: "arm64" });
    const { image } = only("Custom::EvaluatorImage").properties;
    expect(onArm.ofType("Custom::EvaluatorImage")[0]?.[1].Properties.image).toBe(image);
  });

  it("goes with the stack, and older ones before", () => {
    const { properties, resource } = only("AWS::ECR::Repository");
    expect(properties).toMatchObject({ EmptyOnDelete: true, ImageTagMutability: "IMMUTABLE" });
    expect(resource?.DeletionPolicy).toBe("Delete");
    expect(JSON.stringify(properties.LifecyclePolicy)).toContain('\\"countNumber\\":5');
  });

  it("is built by a role that reads one object, pushes to one repository, and writes one log", () => {
    const statements = statementsOf("BuildRole");
    expect(statements.filter(({ Resource }) => Resource === "*").map(({ Action }) => Action)).toEqual([
      "ecr:GetAuthorizationToken",
    ]);
    expect(JSON.stringify(statements)).not.toMatch(/"[a-z0-9]+:[A-Za-z]*\*"/);
    const project = only("AWS::CodeBuild::Project").id;
    expect(statementsOf("BuilderRole").slice(1)).toEqual([
      {
        ...{ Effect: "Allow", Action: ["codebuild:BatchGetBuilds", "codebuild:StartBuild"] },
        Resource: { "Fn::GetAtt": [project, "Arn"] },
      },
    ]);
  });

  it("is waited for a little longer than a build may take, and less than CloudFormation waits", () => {
    const seconds = 60 * Number(only("AWS::CodeBuild::Project").properties.TimeoutInMinutes);
    const builder = stack.ofType("AWS::Lambda::Function").find(([id]) => id.startsWith("EvaluatorImageBuilder"));
    const waits = Number(builder?.[1].Properties.Timeout);
    expect(waits).toBeGreaterThan(seconds + 60);
    expect(Number(only("Custom::EvaluatorImage").properties.ServiceTimeout)).toBeGreaterThan(waits);
  });

  it("costs nothing while idle but its storage, all of which the cost model knows", () => {
    expect(unpricedTypes(stack.resources)).toEqual([]);
    expect(idleCost(stack.resources)).toEqual(idleCost(synthesise().resources));
  });

  it("changes nothing of a stack that is built elsewhere", () => {
    const docker = synthesise({ evaluator: { build: "docker" } });
    expect(docker.template.toJSON()).toEqual(synthesise().template.toJSON());
    expect(docker.ofType("AWS::CodeBuild::Project")).toEqual([]);
  });

  it("cannot be both built and given", () => {
    const image = "123456789012.dkr.ecr.eu-west-1.amazonaws.com/l2mac:1";
    expect(() => synthesise({ evaluator: { build: "codebuild", image } })).toThrow(
      'evaluator.build cannot be used with an "evaluator.image"',
    );
  });
});

describe("the commands of the build", () => {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-build-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const { phases, env } = JSON.parse(buildSpec("linux/arm64"));
  const [command] = phases.build.commands as string[];

  /** With stand-ins for aws and docker that note how they are called. */
  function build(answers: { exists: boolean; fails?: string }) {
    const log = join(folder, "calls");
    rmSync(log, { force: true });
    const stand = (name: string, script: string) => {
      writeFileSync(join(folder, name), `#!/bin/bash\necho "${name} $*" >>"${log}"\n${script}\n`);
      chmodSync(join(folder, name), 0o755);
    };
    stand("aws", `[ "$2" = describe-images ] && exit ${answers.exists ? 0 : 254}; echo password`);
    stand("docker", `[ "$1" = login ] && cat >/dev/null; [ "$1" != "${answers.fails}" ]`);
    const { status } = spawnSync("bash", ["-c", command ?? ""], {
      env: {
        PATH: `${folder}:/usr/bin:/bin`,
        REGISTRY: "registry",
        REPOSITORY: "images",
        TAG: "tag",
        ...env.variables,
      },
    });
    return { status, calls: existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [] };
  }

  it("log in, build for the processor, and push", () => {
    const { status, calls } = build({ exists: false });
    const [look, ...others] = calls;
    expect({ status, look }).toEqual({
      status: 0,
      look: "aws ecr describe-images --repository-name images --image-ids imageTag=tag",
    });
    // The two ends of a pipe begin in any order.
    expect(others.splice(0, 2).toSorted()).toEqual([
      "aws ecr get-login-password",
      "docker login --username AWS --password-stdin registry",
    ]);
    expect(others).toEqual([
      "docker build --platform linux/arm64 --tag registry/images:tag .",
      "docker push registry/images:tag",
    ]);
  });

  it("build nothing again that is there", () => {
    expect(build({ exists: true })).toMatchObject({ status: 0, calls: [expect.stringContaining("describe-images")] });
  });

  it.each(["login", "build", "push"])("fail where docker %s fails, and go no further", (fails) => {
    const { status, calls } = build({ exists: false, fails });
    expect(status).not.toBe(0);
    expect(calls.at(-1)).toMatch(new RegExp(`^(docker ${fails}|aws ecr get-login)`));
  });
});
