/** CodeBuild's HTTP API: StartBuild and BatchGetBuilds, and the build itself, which asks IAM as the role of the project. */
import { z } from "zod";
import type { Ask, DeployedResource, Deployment, Iam, Service, WireAnswer } from "../parts.ts";

const Project = z.object({
  ServiceRole: z.string(),
  Source: z.object({ Location: z.string(), BuildSpec: z.string() }),
  Environment: z.object({ EnvironmentVariables: z.array(z.object({ Name: z.string(), Value: z.string() })) }),
  LogsConfig: z.object({ CloudWatchLogs: z.object({ GroupName: z.string() }) }),
});

/** What goes wrong with the next build, in the words of CodeBuild. */
export type Trouble = { refused: { code: string; message: string } } | { phase: string; message: string };

export interface CodeBuild {
  service: Service;
  /** Tags of the repository. */
  images: Set<string>;
  /** Builds that pushed an image. */
  pushed: () => number;
  next(trouble: Trouble): void;
}

interface Build {
  id: string;
  /** How often it is seen in progress before it has ended. */
  looks: number;
  failed?: { phase: string; message: string } | undefined;
}

const LOOKS = 1;

export function createCodeBuild(deployed: Deployment, project: DeployedResource, iam: Iam): CodeBuild {
  const { partition, region, account } = deployed;
  const declared = Project.parse(project.properties);
  const variables = Object.fromEntries(
    declared.Environment.EnvironmentVariables.map(({ Name, Value }) => [Name, Value]),
  );
  const { REPOSITORY: repository = "", TAG: tag = "" } = variables;
  const images = new Set<string>();
  const builds = new Map<string, Build>();
  let trouble: Trouble | undefined;
  let pushed = 0;

  const [bucket = "", ...key] = declared.Source.Location.split("/");
  const repositoryArn = `arn:${partition}:ecr:${region}:${account}:repository/${repository}`;
  const group = `arn:${partition}:logs:${region}:${account}:log-group:${declared.LogsConfig.CloudWatchLogs.GroupName}`;
  const onObject = (action: string): Ask => ({ action, resource: `arn:${partition}:s3:::${bucket}/${key.join("/")}` });
  const onImages = (...names: string[]): Ask[] =>
    names.map((name) => ({ action: `ecr:${name}`, resource: repositoryArn }));
  const token = { action: "ecr:GetAuthorizationToken", resource: "*" };

  /** By phase, what is asked for there. */
  function asksOf(isThere: boolean): [phase: string, asks: Ask[]][] {
    const logging = ["logs:CreateLogStream", "logs:PutLogEvents"].map((action) => ({
      ...{ action, resource: `${group}:log-stream:build` },
    }));
    const source = [
      onObject("s3:GetObject"),
      { action: "s3:GetBucketLocation", resource: `arn:${partition}:s3:::${bucket}` },
    ];
    const pushing = onImages(
      ...["BatchCheckLayerAvailability", "InitiateLayerUpload", "UploadLayerPart", "CompleteLayerUpload", "PutImage"],
    );
    return [
      ["PROVISIONING", logging],
      ["DOWNLOAD_SOURCE", source],
      ["BUILD", [...onImages("DescribeImages"), ...(isThere ? [] : [token, ...pushing])]],
    ];
  }

  function start(): Build {
    const id = `${project.ref}:${builds.size + 1}`;
    const principal = iam.assume(declared.ServiceRole, "codebuild.amazonaws.com");
    const isThere = images.has(tag);
    const denied = asksOf(isThere).flatMap(([phase, asks]) => {
      const message = iam.authorise(principal, asks)?.message;
      return message === undefined ? [] : [{ phase, message }];
    })[0];
    const planned = trouble && "phase" in trouble && !isThere ? trouble : undefined;
    const build = { id, looks: LOOKS, failed: denied ?? planned };
    if (!build.failed && !isThere) {
      images.add(tag);
      pushed += 1;
    }
    trouble = undefined;
    builds.set(id, build);
    return build;
  }

  const shown = (build: Build) => {
    const isRunning = build.looks > 0;
    build.looks -= 1;
    const { id, failed } = build;
    const phases = failed && !isRunning ? [phaseOf("SUBMITTED"), phaseOf(failed.phase, failed.message)] : [];
    return {
      ...{ id, projectName: project.ref, phases, buildComplete: !isRunning },
      buildStatus: isRunning ? "IN_PROGRESS" : failed ? "FAILED" : "SUCCEEDED",
      logs: { deepLink: `https://console.aws.amazon.com/cloudwatch/home?region=${region}#logsV2:log-groups` },
    };
  };

  const next = (planned: Trouble): void => {
    trouble = planned;
  };
  const service: Service = async ({ headers, body }) => {
    const asked = JSON.parse(body.toString()) as { projectName?: string; ids?: string[] };
    switch (headers["x-amz-target"]) {
      case "CodeBuild_20161006.StartBuild": {
        if (asked.projectName !== project.ref) throw new Error(`There is no project ${asked.projectName}.`);
        if (trouble && "refused" in trouble) {
          const { code, message } = trouble.refused;
          trouble = undefined;
          return answer(400, { __type: code, message });
        }
        return answer(200, { build: shown(start()) });
      }
      case "CodeBuild_20161006.BatchGetBuilds":
        return answer(200, { builds: (asked.ids ?? []).flatMap((id) => builds.get(id) ?? []).map(shown) });
      default:
        throw new Error(`CodeBuild is not played for ${headers["x-amz-target"]}.`);
    }
  };
  return { service, images, pushed: () => pushed, next };
}

const phaseOf = (phaseType: string, message?: string) => ({
  phaseType,
  phaseStatus: message === undefined ? "SUCCEEDED" : "FAILED",
  contexts: message === undefined ? [] : [{ statusCode: "COMMAND_EXECUTION_ERROR", message }],
});

const answer = (status: number, json: unknown): WireAnswer => ({
  status,
  headers: { "content-type": "application/x-amz-json-1.1" },
  body: Buffer.from(JSON.stringify(json)),
});
