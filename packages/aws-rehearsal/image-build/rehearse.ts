/** Deploys a stack without a local Docker: CloudFormation's custom resource, the function behind it, and CodeBuild's builds. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { layImageBuilder } from "../../../lib/cloud/evaluator-image.ts";
import { remedyFor } from "../../../lib/deployment/error-remedies.ts";
import { synthesise } from "../../../test/cloud/synthesised.ts";
import { must } from "../acts/act.ts";
import type { Template } from "../cloudformation/assembly.ts";
import { deploy } from "../cloudformation/deploy.ts";
import { PLACE, resourceIn } from "../cloudformation/quick-deployment.ts";
import { allowancesOf } from "../iam/allowances.ts";
import { createIam } from "../iam/iam.ts";
import { createFunctions } from "../lambda/functions.ts";
import type { Use } from "../parts.ts";
import { startProxy } from "../proxy/proxy.ts";
import { createCodeBuild, type Trouble } from "./code-build.ts";

interface Answered {
  status: string;
  reason: string;
  id: string;
}

/** Says a line for each thing shown; throws if one is not as it must be. */
export async function rehearseImageBuild(say: (line: string) => void): Promise<void> {
  const stage = await openImageStage();
  try {
    await playScenes(stage, say);
    await showPermissions(stage, say);
  } finally {
    await stage.stop();
  }
}

type ImageStage = Awaited<ReturnType<typeof openImageStage>>;

async function playScenes({ request, codeBuild }: ImageStage, say: (line: string) => void): Promise<void> {
  const first = await request("Create");
  must("The first deployment builds the image", first.status === "SUCCESS" && codeBuild.pushed() === 1, first);
  say("✔ a stack is deployed without Docker: CodeBuild builds the image, and CloudFormation waits for it");
  const again = await request("Update");
  must("A second one builds nothing", again.status === "SUCCESS" && codeBuild.pushed() === 1, again);
  must("The resource stays the same one", again.id === first.id, [first, again]);
  say("✔ an image that is there already is not built again");
  codeBuild.images.clear();
  await failing({ phase: "BUILD", message: "Error while executing command: docker build. Reason: exit status 1" }, [
    /failed in the phase BUILD: Error while executing command: docker build.*Its log: https:\/\/console/,
    /run the same command again/,
  ]);
  say("✔ a build that fails says in which phase, where its log is, and what to do");
  await failing(
    {
      refused: {
        code: "AccountLimitExceededException",
        message: "Cannot have more than 0 builds in queue for the account",
      },
    },
    [
      /could not be started or watched: AccountLimitExceededException/,
      /Request the quota "Concurrently running builds"/,
    ],
  );
  say("✔ for an account that may run no build yet, the failure names the quota to raise");
  const repaired = await request("Create");
  must("The next attempt succeeds", repaired.status === "SUCCESS" && codeBuild.pushed() === 2, repaired);
  const removed = await request("Delete");
  must("The stack can be deleted", removed.status === "SUCCESS" && codeBuild.pushed() === 2, removed);
  say("✔ after that the stack can be deployed, and deleted");

  async function failing(trouble: Trouble, [reason, advice]: [RegExp, RegExp]): Promise<void> {
    codeBuild.next(trouble);
    const answered = await request("Create");
    must("It fails", answered.status === "FAILED" && reason.test(answered.reason), answered);
    const advised = remedyFor(`CREATE_FAILED | Custom::EvaluatorImage | ${answered.reason}`) ?? "";
    must("It says what to do", advice.test(advised), advised);
  }
}

/** CodeBuild asks for these itself, in ways that it does not document. */
const NOT_PLAYED = ["s3:GetBucketAcl", "s3:GetObjectVersion", "ecr:BatchGetImage"];

/** Removes each in turn. */
async function showPermissions({ deployed, iam, request, codeBuild }: ImageStage, say: (line: string) => void) {
  for (const use of allowancesOf(deployed).filter(({ principal }) => principal.startsWith("EvaluatorImageBuild"))) {
    const { principal, action } = use;
    if (NOT_PLAYED.includes(action) || (principal.startsWith("EvaluatorImageBuilder") && action.startsWith("logs:")))
      continue;
    codeBuild.images.clear();
    const { status, reason } = await lacking(use);
    must(`Without ${action} the build fails`, status === "FAILED" && reason.includes(action), reason);
    say(`✔ ${principal.replace(/Role[0-9A-F]{8}$/, "")} ${action}: without it the build fails`);
  }

  async function lacking(use: Use): Promise<Answered> {
    iam.remove(use);
    try {
      return await request("Create");
    } finally {
      iam.remove();
    }
  }
}

async function openImageStage() {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-image-"));
  const empty = join(folder, "empty");
  mkdirSync(empty);
  const template = synthesise({ evaluator: { build: "codebuild" } }).template.toJSON() as Template;
  const code = layImageBuilder(join(folder, "built"));
  const assembly = { stackName: "L2mac", template, codeFolder: () => code, imageFolder: () => empty };
  const deployed = deploy(assembly, { ...PLACE, into: join(folder, "deployed") });
  const iam = createIam(deployed);
  const codeBuild = createCodeBuild(deployed, resourceIn(deployed, "AWS::CodeBuild::Project"), iam);
  const proxy = await startProxy({
    ...{ deployed, iam, upstreams: {}, services: { codebuild: codeBuild.service }, now: Date.now },
  });
  const functions = createFunctions({ deployed, iam, aws: { endpoint: proxy.endpoint }, imageFolder: () => empty });
  const {
    ServiceToken,
    ServiceTimeout: _,
    ...ResourceProperties
  } = resourceIn(deployed, "Custom::EvaluatorImage").properties;
  const address = await startAnswerAddress();

  /** As CloudFormation asks. */
  async function request(RequestType: "Create" | "Update" | "Delete"): Promise<Answered> {
    const asked = { StackId: "arn:stack", RequestId: RequestType, LogicalResourceId: "EvaluatorImageBuilt" };
    const payload = JSON.stringify({ RequestType, ResponseURL: address.url, ...asked, ResourceProperties });
    const invoked = await functions.invoke({ functionArn: String(ServiceToken), payload });
    must("The function ends well", invoked.functionError === undefined, invoked.payload);
    const { body, contentType } = address.take();
    must("The address takes no content type", contentType === undefined, contentType);
    const { Status, Reason, PhysicalResourceId, ...echoed } = JSON.parse(body);
    must("CloudFormation finds its request", JSON.stringify(echoed) === JSON.stringify(asked), echoed);
    return { status: Status, reason: Reason, id: PhysicalResourceId };
  }
  const stop = async (): Promise<void> => {
    await functions.stop();
    await Promise.all([proxy.stop(), address.stop()]);
    rmSync(folder, { recursive: true, force: true });
  };
  return { deployed, iam, codeBuild, request, stop };
}

/** Where CloudFormation waits: an address that is signed for one PUT without a content type. */
async function startAnswerAddress() {
  const puts: { body: string; contentType: string | undefined }[] = [];
  const server = createServer(async (incoming, response) => {
    const body = (await buffer(incoming)).toString();
    if (incoming.method === "PUT") puts.push({ body, contentType: incoming.headers["content-type"] });
    response.writeHead(incoming.method === "PUT" ? 200 : 405).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/answer?Signature=x`,
    take() {
      const [put, ...others] = puts.splice(0);
      if (!put || others.length > 0)
        throw new Error(`CloudFormation was answered ${others.length + (put ? 1 : 0)} times.`);
      return put;
    },
    stop: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
