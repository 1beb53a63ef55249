/** Builds of CodeBuild: started, and looked at until they end. */
import { BatchGetBuildsCommand, CodeBuildClient, StartBuildCommand } from "@aws-sdk/client-codebuild";

export interface CodeBuildState {
  state: "running" | "succeeded" | "failed";
  phase?: string | undefined;
  message?: string | undefined;
  log?: string | undefined;
}

const ATTEMPTS = 6;
const ANSWER_MS = 10_000;

export const codeBuildClient = (): CodeBuildClient =>
  new CodeBuildClient({
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: ANSWER_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
  });

export const createCodeBuilds = (client: CodeBuildClient) => ({
  async start(projectName: string): Promise<string> {
    const { build } = await client.send(new StartBuildCommand({ projectName }));
    if (build?.id === undefined) throw new Error(`CodeBuild began no build of ${projectName}.`);
    return build.id;
  },
  async find(id: string): Promise<CodeBuildState> {
    const { builds = [] } = await client.send(new BatchGetBuildsCommand({ ids: [id] }));
    const [build] = builds;
    if (!build) throw new Error(`CodeBuild does not know its build ${id}.`);
    const failed = build.phases?.find(({ phaseStatus }) => /FAILED|FAULT|TIMED_OUT|STOPPED/.test(phaseStatus ?? ""));
    const said = failed?.contexts?.map(({ message }) => message).filter((message) => message);
    return {
      state: stateOf(build.buildStatus),
      phase: failed?.phaseType,
      message: said?.[0],
      log: build.logs?.deepLink,
    };
  },
});

const stateOf = (status: string | undefined): CodeBuildState["state"] => {
  if (status === "IN_PROGRESS") return "running";
  return status === "SUCCEEDED" ? "succeeded" : "failed";
};
