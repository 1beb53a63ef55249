/** `cdk deploy` of the present sources on a stage that runs: its table, its bucket and what is under way stay. */
import type { Assembly } from "./cloudformation/assembly.ts";
import { definitionOf } from "./cloudformation/definition.ts";
import { type DeploymentTarget, deploy } from "./cloudformation/deploy.ts";
import type { PlayedIam } from "./iam/iam.ts";
import type { Kms } from "./kms/kms-service.ts";
import type { RunningFunctions } from "./lambda/functions.ts";
import type { Deployment } from "./parts.ts";
import type { StateMachine } from "./states/state-machine.ts";
import { only } from "./storage/storage.ts";

interface Updated {
  deployed: Deployment;
  iam: PlayedIam;
  kms: Kms;
  functions: RunningFunctions;
  controlUnit: StateMachine;
}

/** What the update would replace would be lost, or would need a migration of its own. */
const KEPT = ["AWS::DynamoDB::Table", "AWS::StepFunctions::StateMachine", "AWS::ApiGateway::RestApi"];

export function updateStage(stage: Updated, assembly: Assembly, target: DeploymentTarget): void {
  const next = deploy(assembly, target);
  for (const type of KEPT) {
    const [before, after] = [only(stage.deployed, type).ref, only(next, type).ref];
    if (before !== after) throw new Error(`The update replaces ${type} ${before} by ${after}.`);
  }
  const resource = only(next, "AWS::StepFunctions::StateMachine");
  stage.iam.update(next);
  stage.kms.update(next);
  stage.functions.update(next, assembly.imageFolder);
  stage.controlUnit.update({ deployed: next, resource, definition: definitionOf(resource) });
}
