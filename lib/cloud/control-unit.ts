/** The control unit: the state machine of the definition file, and the four functions it calls. */
import { ArnFormat, Aws, Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Code, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { CfnSecret } from "aws-cdk-lib/aws-secretsmanager";
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { readControlUnit } from "../files/control-unit.ts";
import { acknowledge } from "./acknowledge.ts";
import { acknowledgeProfiles, callingModels } from "./calling-models.ts";
import type { CloudConfig } from "./config.ts";
import { createFunction, createLogGroup, dailyCeiling, type FunctionParts } from "./function.ts";
import { createGitAccess, type GitAccess } from "./git-token.ts";
import { canFetch } from "./isolation.ts";
import type { SigningAccess } from "./signing-key.ts";
import { accessOf, allow, readingKey } from "./statements.ts";
import type { Storage } from "./storage.ts";

export interface ControlUnit {
  stateMachine: StateMachine;
  /** Where the token of the Git server is kept. */
  gitToken: CfnSecret | undefined;
  functions: Record<"plan" | "execute" | "deliver" | "recordFailure", LambdaFunction>;
}

export interface ControlUnitParts {
  config: CloudConfig;
  code: Code;
  storage: Storage;
  evaluator: LambdaFunction;
  signing: SigningAccess;
}

/** Above a handler's own deadline, below the time-out of its state. */
const TIMEOUT = Duration.seconds(860);

export function createControlUnit(scope: Construct, parts: ControlUnitParts): ControlUnit {
  const place = new Construct(scope, "ControlUnit");
  const git = createGitAccess(place, parts.config);
  const functions = createFunctions(place, parts, git);
  for (const { role } of [functions.plan, functions.execute]) if (role) acknowledgeProfiles(role, parts.config);
  return { functions, gitToken: git.secret, stateMachine: createStateMachine(place, parts.config, functions) };
}

function createFunctions(place: Construct, parts: ControlUnitParts, git: GitAccess): ControlUnit["functions"] {
  const { config, code, storage, evaluator, signing } = parts;
  const asking = { SECRET_ID: storage.modelKey.ref, ...dailyCeiling(config) };
  const create = (
    name: string,
    own: Pick<FunctionParts, "description" | "handler" | "statements"> & Partial<FunctionParts>,
  ) => createFunction(place, { name, code, config, storage, timeout: TIMEOUT, ...own });
  const made = {
    plan: create("Plan", {
      description: "Makes the program of a run.",
      handler: "plan",
      environment: { ...asking, ...git.environment },
      statements: [
        ...accessOf("plan", storage),
        readingKey(storage),
        ...callingModels(place, config),
        ...git.statements,
      ],
    }),
    execute: create("Execute", {
      description: "Executes one instruction of a run.",
      handler: "execute",
      environment: { ...asking, ...evaluating(config, evaluator) },
      statements: [
        ...accessOf("execute", storage),
        readingKey(storage),
        ...callingModels(place, config),
        allow(["lambda:InvokeFunction"], evaluator.functionArn),
      ],
      memoryMb: 1_024,
      reservedConcurrency: config.reservedConcurrency.execute,
    }),
    deliver: create("Deliver", {
      description: "Delivers what a run has made.",
      handler: "deliver",
      environment: { ...git.environment, ...signing.environment },
      statements: [...accessOf("deliver", storage), ...git.statements, ...signing.signing],
      memoryMb: 1_024,
    }),
    recordFailure: create("RecordFailure", {
      description: "Records what ended a run.",
      handler: "recordFailure",
      statements: accessOf("recordFailure", storage),
    }),
  };
  // During an update it changes last: what it alone writes, packs of changes, the others can read by then.
  made.execute.node.addDependency(made.plan, made.deliver, made.recordFailure);
  return made;
}

const evaluating = (config: CloudConfig, { functionName }: LambdaFunction): Record<string, string> => ({
  EVALUATOR_FUNCTION: functionName,
  EVALUATOR_TENANTS: String(config.evaluator.tenants),
  ...(canFetch(config) ? {} : { EVALUATOR_LINKS: "false" }),
});

export const stateMachineNameOf = ({ stackName }: CloudConfig): string => `${stackName}-control-unit`;

function createStateMachine(
  place: Construct,
  config: CloudConfig,
  { plan, execute, deliver, recordFailure }: ControlUnit["functions"],
): StateMachine {
  const stateMachineName = stateMachineNameOf(config);
  // By name: a state machine that refers to its own resource would depend on itself.
  const ownArn = Stack.of(place).formatArn({
    service: "states",
    resource: "stateMachine",
    resourceName: stateMachineName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  const role = new Role(place, "Role", {
    assumedBy: new ServicePrincipal("states.amazonaws.com"),
    description: "What the control unit may do: call its functions, and start its next epoch.",
  });
  const arns = [plan, execute, deliver, recordFailure].map(({ functionArn }) => functionArn);
  role.addToPolicy(allow(["lambda:InvokeFunction"], ...arns));
  role.addToPolicy(allow(["states:StartExecution"], ownArn));
  // Under this prefix log deliveries share one entry of the resource policy, whose size is limited.
  const logGroupName = `/aws/vendedlogs/states/${stateMachineName}`;
  const destination = createLogGroup(place, "Log", { ...config, logGroupName });
  const stateMachine = new StateMachine(place, "StateMachine", {
    stateMachineName,
    role,
    stateMachineType: StateMachineType.STANDARD,
    definitionBody: DefinitionBody.fromString(readControlUnit()),
    definitionSubstitutions: {
      PlanFunction: plan.functionArn,
      ExecuteFunction: execute.functionArn,
      DeliverFunction: deliver.functionArn,
      RecordFailureFunction: recordFailure.functionArn,
      StateMachineArn: ownArn,
      Partition: Aws.PARTITION,
      LoopLimit: String(config.loopLimit),
    },
    logs: { destination, level: LogLevel.ALL, includeExecutionData: false },
    tracingEnabled: true,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const reason = "X-Ray's write actions and the log deliveries of Step Functions cannot be limited to a resource.";
  acknowledge(role, "AwsSolutions-IAM5[Resource::*]", reason);
  return stateMachine;
}
