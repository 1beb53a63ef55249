/** The calls of the state machine's tasks: functions and its own next execution, authorised as the machine's role. */
import type { Json } from "../../../lib/core/text/json.ts";
import type { TaskFunction } from "../../../lib/engine/asl-invoke.ts";
import { START_EXECUTION } from "../../../lib/engine/asl-schema.ts";
import type { Disturbances } from "../disturbances.ts";
import type { Denial, DeployedResource, Deployment, Functions, Iam, Principal } from "../parts.ts";
import { ServiceError } from "../service-error.ts";
import { sessionOf } from "./state-machine-role.ts";

export interface TaskParts {
  deployed: Deployment;
  resource: DeployedResource;
  iam: Iam;
  functions: Functions;
  /** Of the state machine. */
  arn: string;
  start(name: string, input: string): { executionArn: string; startedAt: number };
  /** What nothing on AWS would have thrown: the rehearsal itself is broken. */
  broken(error: unknown): void;
  disturbed?: Pick<Disturbances<TaskCall, TaskTrouble>, "of"> | undefined;
}

export interface TaskCall {
  functionArn: string;
  payload: Json;
}

/** Aborts when the state times out; what it invoked continues, and its answer is dropped. */
export interface TaskTrouble {
  timesOut: Promise<unknown>;
}

/** As the engine wants them: by the function's ARN, or by the resource of a task. */
export function createTasks(taskParts: TaskParts): Record<string, TaskFunction> {
  const parts = { ...taskParts, principal: sessionOf(taskParts.iam, taskParts.resource) };
  const functions = Object.values(parts.deployed.resources).filter(({ type }) => type === "AWS::Lambda::Function");
  const calls = functions.flatMap(({ arn }) => (arn ? [[arn, invoking(parts, arn)] as const] : []));
  const tasks = [...calls, [START_EXECUTION, starting(parts)] as const];
  return Object.fromEntries(tasks.map(([name, task]) => [name, telling(task, parts.broken)]));
}

const telling =
  (task: TaskFunction, broken: TaskParts["broken"]): TaskFunction =>
  async (payload, context) => {
    try {
      return await task(payload, context);
    } catch (error) {
      if (!(error instanceof TaskFailed)) broken(error);
      throw error;
    }
  };

type TaskCallParts = TaskParts & { principal: Principal };

const invoking =
  ({ iam, principal, functions, disturbed }: TaskCallParts, functionArn: string): TaskFunction =>
  async (payload) => {
    const denied = iam.authorise(principal, [{ action: "lambda:InvokeFunction", resource: functionArn }]);
    // A caller that may not is an exception of Lambda's, and not States.Permissions: Retry sees it as any other.
    if (denied) throw failure("Lambda.AWSLambdaException", said(denied, "AWSLambda", 403));
    const answering = invoked(functions, functionArn, payload);
    const trouble = disturbed?.of({ functionArn, payload });
    const { functionError, payload: answer } = await (trouble ? untilLate(trouble, answering) : answering);
    const json = JSON.parse(answer) as Json;
    if (functionError === undefined) return json;
    const { errorType = functionError, errorMessage = "" } = json as { errorType?: string; errorMessage?: string };
    throw failure(errorType, errorMessage);
  };

async function untilLate<T>({ timesOut }: TaskTrouble, answering: Promise<T>): Promise<T> {
  const late = timesOut.then(() => Promise.reject(failure("States.Timeout", "")));
  return Promise.race([answering, late]);
}

async function invoked(functions: Functions, functionArn: string, payload: Json) {
  try {
    return await functions.invoke({ functionArn, payload: JSON.stringify(payload) });
  } catch (error) {
    if (error instanceof ServiceError) throw failure(`Lambda.${error.code}`, error.message);
    throw error;
  }
}

const starting =
  ({ iam, principal, arn, start }: TaskCallParts): TaskFunction =>
  async (payload) => {
    const { StateMachineArn, Name, Input } = payload as { StateMachineArn: string; Name: string; Input: Json };
    const ask = { action: "states:StartExecution", resource: StateMachineArn };
    const denied = iam.authorise(principal, [ask]);
    if (denied) throw failure("StepFunctions.AWSStepFunctionsException", said(denied, "AWSStepFunctions", 400));
    if (StateMachineArn !== arn)
      throw failure(
        "StepFunctions.StateMachineDoesNotExistException",
        `State Machine Does Not Exist: '${StateMachineArn}'`,
      );
    try {
      const { executionArn, startedAt } = start(Name, JSON.stringify(Input));
      return { ExecutionArn: executionArn, StartDate: new Date(startedAt).toISOString() };
    } catch (error) {
      if (error instanceof ServiceError) throw failure(`StepFunctions.${error.code}Exception`, error.message);
      throw error;
    }
  };

/** Under the name that Retry and Catch know. */
class TaskFailed extends Error {}

const failure = (name: string, message: string): Error => Object.assign(new TaskFailed(message), { name });

const said = ({ message }: Denial, service: string, status: number): string =>
  `${message} (Service: ${service}; Status Code: ${status}; Error Code: AccessDeniedException)`;
