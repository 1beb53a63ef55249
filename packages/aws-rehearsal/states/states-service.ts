/** Step Functions' HTTP API: StartExecution and DescribeExecution. IAM has already authorised the request. */
import { z } from "zod";
import type { Service, WireAnswer } from "../parts.ts";
import { ServiceError } from "../service-error.ts";
import type { Execution, StateMachine } from "./state-machine.ts";

const Start = z.object({ stateMachineArn: z.string(), name: z.string().optional(), input: z.string().default("{}") });
const Describe = z.object({ executionArn: z.string() });

export function createStatesService(machine: StateMachine): Service {
  return async ({ headers, body }) => {
    const target = headers["x-amz-target"];
    const asked: unknown = JSON.parse(body.toString());
    try {
      switch (target) {
        case "AWSStepFunctions.StartExecution":
          return answer(200, started(machine, Start.parse(asked)));
        case "AWSStepFunctions.DescribeExecution":
          return answer(200, described(machine, Describe.parse(asked).executionArn));
        default:
          throw new Error(`Step Functions is not played for ${target}.`);
      }
    } catch (error) {
      if (error instanceof ServiceError) return answer(400, { __type: error.code, message: error.message });
      throw error;
    }
  };
}

function started(machine: StateMachine, { stateMachineArn, ...asked }: z.infer<typeof Start>) {
  if (stateMachineArn !== machine.arn)
    throw new ServiceError("StateMachineDoesNotExist", 400, `State Machine Does Not Exist: '${stateMachineArn}'`);
  const { executionArn, startedAt } = machine.start(asked);
  return { executionArn, startDate: startedAt / 1_000 };
}

function described(machine: StateMachine, executionArn: string) {
  const execution = machine.find(executionArn);
  if (!execution) throw new ServiceError("ExecutionDoesNotExist", 400, `Execution Does Not Exist: '${executionArn}'`);
  return { stateMachineArn: machine.arn, ...shown(execution) };
}

const shown = ({ executionArn, name, input, status, startedAt, stoppedAt, output, error, cause }: Execution) => ({
  ...{ executionArn, name, status, input, startDate: startedAt / 1_000 },
  ...(stoppedAt === undefined ? {} : { stopDate: stoppedAt / 1_000 }),
  ...(output === undefined ? {} : { output: JSON.stringify(output) }),
  ...(error === undefined ? {} : { error }),
  ...(cause === undefined ? {} : { cause }),
});

const answer = (status: number, json: unknown): WireAnswer => ({
  status,
  headers: { "content-type": "application/x-amz-json-1.0" },
  body: Buffer.from(JSON.stringify(json)),
});
