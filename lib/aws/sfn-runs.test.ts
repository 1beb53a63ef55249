import { describe, expect, it } from "vitest";
import { awsError, type Script, scriptClient } from "../../test/doubles/scripted-client.ts";
import { sfnClient } from "./clients.ts";
import { createExecutionStarter } from "./sfn-runs.ts";

const stateMachineArn = "arn:aws:states:eu-west-1:123456789012:stateMachine:control-unit";

function rig(script: Script) {
  const client = sfnClient({ region: "eu-west-1" });
  const sent = scriptClient(client, script);
  return { sent, executions: createExecutionStarter({ client, stateMachineArn }) };
}

describe("an epoch's execution", () => {
  it("is started under the name of run and epoch, with ids only", async () => {
    const { sent, executions } = rig([{}]);
    await executions.start("01RUN", 3);
    expect(sent).toEqual([
      {
        command: "StartExecutionCommand",
        input: { stateMachineArn, name: "01RUN-3", input: '{"runId":"01RUN","epoch":3}' },
        options: {},
      },
    ]);
  });

  it("that is already there is fine", async () => {
    await expect(
      rig([awsError("ExecutionAlreadyExists", { status: 400 })]).executions.start("01RUN", 3),
    ).resolves.toBeUndefined();
  });

  it("that cannot be started is an error, the user's where they can put it right", async () => {
    await expect(rig([awsError("ExecutionLimitExceeded")]).executions.start("01RUN", 3)).rejects.toThrow(
      "ExecutionLimitExceeded",
    );
    await expect(rig([awsError("StateMachineDoesNotExist")]).executions.start("01RUN", 3)).rejects.toMatchObject({
      name: "L2mac.UserError",
      exitCode: 3,
      message: expect.stringContaining("control-unit"),
    });
  });

  it.each([
    ["RUNNING", "running"],
    ["PENDING_REDRIVE", "running"],
    ["SUCCEEDED", "ended"],
    ["FAILED", "failed"],
    ["TIMED_OUT", "failed"],
    ["ABORTED", "failed"],
  ])("that is %s is %s for the sweeper", async (status, found) => {
    const { sent, executions } = rig([{ status }]);
    expect(await executions.find("01RUN", 3)).toBe(found);
    expect(sent).toMatchObject([
      {
        command: "DescribeExecutionCommand",
        input: { executionArn: "arn:aws:states:eu-west-1:123456789012:execution:control-unit:01RUN-3" },
      },
    ]);
  });

  it("that does not exist is absent; every other refusal is an error, not an absence", async () => {
    expect(await rig([awsError("ExecutionDoesNotExist")]).executions.find("01RUN", 3)).toBe("absent");
    await expect(rig([awsError("AccessDeniedException")]).executions.find("01RUN", 3)).rejects.toMatchObject({
      name: "L2mac.Denied",
    });
  });
});
