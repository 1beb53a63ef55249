/** Executions of the control unit: one per epoch of a run, found by name. */
import { DescribeExecutionCommand, type SFNClient, StartExecutionCommand } from "@aws-sdk/client-sfn";
import { explained, nameOf } from "./failures.ts";

type ExecutionState = "running" | "ended" | "failed" | "absent";

export interface ExecutionStarter {
  /** An existing execution is fine: its name contains run and epoch. */
  start(runId: string, epoch: number): Promise<void>;
  /** A new execution may still be `absent` for a moment; starting it again is harmless. */
  find(runId: string, epoch: number): Promise<ExecutionState>;
}

export interface ExecutionStarterParts {
  client: SFNClient;
  stateMachineArn: string;
}

export function createExecutionStarter({ client, stateMachineArn }: ExecutionStarterParts): ExecutionStarter {
  const what = `the control unit ${stateMachineArn}`;
  return {
    start: (runId, epoch) =>
      explained(what, async () => {
        const input = JSON.stringify({ runId, epoch });
        try {
          await client.send(new StartExecutionCommand({ stateMachineArn, name: executionName(runId, epoch), input }));
        } catch (error) {
          if (nameOf(error) !== "ExecutionAlreadyExists") throw error;
        }
      }),
    find: (runId, epoch) =>
      explained(what, async () => {
        const executionArn = `${executionsOf(stateMachineArn)}:${executionName(runId, epoch)}`;
        try {
          const { status = "" } = await client.send(new DescribeExecutionCommand({ executionArn }));
          return BY_STATUS[status] ?? "failed";
        } catch (error) {
          if (nameOf(error) === "ExecutionDoesNotExist") return "absent";
          throw error;
        }
      }),
  };
}

const BY_STATUS: Record<string, ExecutionState> = {
  RUNNING: "running",
  PENDING_REDRIVE: "running",
  SUCCEEDED: "ended",
};

const executionName = (runId: string, epoch: number): string => `${runId}-${epoch}`;

/** arn:aws:states:region:account:stateMachine:name → arn:aws:states:region:account:execution:name */
const executionsOf = (stateMachineArn: string): string => stateMachineArn.replace(/:stateMachine:/, ":execution:");
