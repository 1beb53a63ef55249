/** The function that builds the evaluator's image: the composition root of a deployment without a local Docker. */
import type { Context } from "aws-lambda";
import { codeBuildClient, createCodeBuilds } from "../../lib/aws/code-builds.ts";
import { systemClock } from "../../lib/host/system-clock.ts";
import { buildImage } from "./build-image.ts";
import { answerBody, ResourceRequest } from "./custom-resource.ts";

const ATTEMPTS = 4;
const PAUSE_MS = 1_000;
const ANSWER_MS = 5_000;

export async function handler(event: unknown, context: Context): Promise<void> {
  const asked = ResourceRequest.parse(event);
  const answer = await buildImage(asked, {
    builds: createCodeBuilds(codeBuildClient()),
    clock: systemClock,
    remainingMs: () => context.getRemainingTimeInMillis(),
  });
  console.log(JSON.stringify({ asked: asked.RequestType, ...answer }));
  await put(asked.ResponseURL, Buffer.from(answerBody(asked, answer)));
}

/** The address is signed for a request without a content type. */
async function put(url: string, body: Buffer<ArrayBuffer>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await fetch(url, { method: "PUT", body, signal: AbortSignal.timeout(ANSWER_MS) });
      if (response.ok) return;
      throw new Error(`CloudFormation's address answered ${response.status}.`);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await systemClock.sleep(PAUSE_MS * attempt);
    }
  }
}
