/** Acknowledges a finding of cdk-nag where it was found, with the reason why it stands. */
import { type CfnElement, Stack, Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

export const acknowledge = (construct: IConstruct, id: string, reason: string): void =>
  Validations.of(construct).acknowledge({ id, reason });

/** How cdk-nag writes the ARN of what is declared in the stack. */
export const nagNameOf = (construct: IConstruct): string =>
  `<${Stack.of(construct).getLogicalId(construct.node.defaultChild as CfnElement)}.Arn>`;
