/** Findings about models of Amazon Bedrock: whether this account may call them in this region. Pure. */
import * as z from "zod";
import { accessRemedy } from "../core/text/bedrock-access.ts";
import type { AwsResult } from "./aws-result.ts";
import type { Finding } from "./finding.ts";

/** What GetFoundationModelAvailability answers. */
export const ModelAccess = z.object({
  agreementAvailability: z.object({ status: z.string() }).optional(),
  authorizationStatus: z.string().optional(),
  entitlementAvailability: z.string().optional(),
  regionAvailability: z.string().optional(),
});
export type ModelAccess = z.infer<typeof ModelAccess>;

export function modelAccessFinding(model: string, region: string, result: AwsResult<ModelAccess>): Finding {
  const what = "model";
  if ("refusal" in result) {
    const { reason, remedy } = result.refusal;
    return { what, state: "note", says: `access to ${model} could not be read: ${reason}\n${remedy}` };
  }
  const lacks = lacking(result.value);
  if (lacks === undefined) return { what, state: "ok", says: `${model} may be called, without a key` };
  const isOffered = result.value.regionAvailability !== "NOT_AVAILABLE";
  return {
    what,
    state: "note",
    says: `${model} ${lacks}: rehearsals work, runs with it fail`,
    next: [
      ...(isOffered ? [accessRemedy(model, region)] : []),
      `${isOffered ? "Or name" : "Name"} other models in "bedrockModels" of l2mac.cloud.json.`,
    ],
  };
}

function lacking(access: ModelAccess): string | undefined {
  if (access.regionAvailability === "NOT_AVAILABLE") return "is not offered in this region";
  if (access.authorizationStatus === "NOT_AUTHORIZED") return "is not granted to this account";
  if (access.entitlementAvailability === "NOT_AVAILABLE") return "is not granted to this account";
  const agreement = access.agreementAvailability?.status ?? "AVAILABLE";
  return agreement === "AVAILABLE" ? undefined : `has no accepted agreement (${agreement})`;
}
