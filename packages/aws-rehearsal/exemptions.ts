/** Permissions that AWS itself uses as the role, so that no act can prove them. Each with its reason. */
import type { Allowance } from "./iam/allowances.ts";

export interface Exemption {
  /** Of the role's logical id, without its hash. */
  roles: RegExp;
  actions: string[];
  resources: string[];
  reason: string;
}

export const EXEMPTIONS: Exemption[] = [
  {
    roles: /^Evaluator$/,
    actions: [
      "ec2:AssignPrivateIpAddresses",
      "ec2:CreateNetworkInterface",
      "ec2:DeleteNetworkInterface",
      "ec2:DescribeNetworkInterfaces",
      "ec2:DescribeSubnets",
      "ec2:UnassignPrivateIpAddresses",
    ],
    resources: ["*"],
    reason: "Lambda puts a function into a network as the function's role; without them it is never created.",
  },
  {
    roles: /^ControlUnit$/,
    actions: [
      "logs:CreateLogDelivery",
      "logs:DeleteLogDelivery",
      "logs:DescribeLogGroups",
      "logs:DescribeResourcePolicies",
      "logs:GetLogDelivery",
      "logs:ListLogDeliveries",
      "logs:PutResourcePolicy",
      "logs:UpdateLogDelivery",
    ],
    resources: ["*"],
    reason: "Step Functions sets up its log as the state machine's role; without them it is never created.",
  },
  {
    roles: /^ControlUnit$/,
    actions: ["xray:GetSamplingRules", "xray:GetSamplingTargets"],
    resources: ["*"],
    reason: "Step Functions asks which executions to trace.",
  },
  {
    roles: /^ControlUnit(Plan|Execute|Deliver|RecordFailure)?$/,
    actions: ["xray:PutTelemetryRecords", "xray:PutTraceSegments"],
    resources: ["*"],
    reason: "Lambda and Step Functions send traces as the role; a trace that is denied is lost, and nothing fails.",
  },
];

export const roleName = (principal: string): string => principal.replace(/Role[0-9A-F]{8}$/, "");

export const exemptionOf = ({ principal, action }: Pick<Allowance, "principal" | "action">): Exemption | undefined =>
  EXEMPTIONS.find(({ roles, actions }) => roles.test(roleName(principal)) && actions.includes(action));
