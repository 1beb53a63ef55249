/** Every evaluator keeps the contract: of this computer, of AWS over the wire to a local one, and those of the tests. */
import { afterAll } from "vitest";
import { lambdaClient } from "../../lib/aws/clients.ts";
import { createLambdaEvaluator } from "../../lib/aws/lambda-evaluator.ts";
import type { Evaluator } from "../../lib/core/ports.ts";
import { decodeEvaluation } from "../../lib/core/verdict/evaluation-wire.ts";
import { createEvaluate } from "../../lib/evaluator/evaluate.ts";
import { createSandboxEvaluator } from "../../lib/sandbox/sandbox-evaluator.ts";
import { unsealed } from "../../lib/sandbox/seal.ts";
import { newFolder, removeFolders, toolchain } from "../doubles/evaluation.ts";
import { alwaysGreen, nothingToCheck } from "../doubles/machines.ts";
import { realEvaluator } from "../doubles/real-evaluator.ts";
import { answerClient } from "../doubles/scripted-client.ts";
import { describeEvaluator } from "./evaluator.contract.ts";

afterAll(removeFolders);

function sandboxEvaluator(): Evaluator {
  const evaluateTree = createEvaluate({
    seal: unsealed("tests"),
    toolchain,
    scratch: newFolder(),
    now: Date.now,
    newId: () => "request",
  });
  return createSandboxEvaluator({ folder: newFolder(), evaluateTree, now: Date.now });
}

/** What the function does with an invocation, without Lambda between. */
function lambdaEvaluator(): Evaluator {
  const inside = sandboxEvaluator();
  const client = lambdaClient({ region: "us-east-1" });
  answerClient(client, async ({ Payload }) => {
    const event = JSON.parse(new TextDecoder().decode(Payload as Uint8Array));
    const verdict = await inside.evaluate(await decodeEvaluation(event));
    return { $metadata: { requestId: "lambda-1" }, Payload: new TextEncoder().encode(JSON.stringify(verdict)) };
  });
  return createLambdaEvaluator({ client, functionName: "evaluator", tenantIsolation: true });
}

describeEvaluator("The sandbox of this computer", sandboxEvaluator);
describeEvaluator("The function on AWS", lambdaEvaluator);
describeEvaluator("The evaluator of the tests", realEvaluator);
describeEvaluator("The double that finds everything green", () => alwaysGreen, { looks: false });
describeEvaluator("The double that checks nothing", () => nothingToCheck, { looks: false });
