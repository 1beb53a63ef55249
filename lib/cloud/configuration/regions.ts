/** Regions: their names, and those in which a part of the stack does not exist. Pure. */
import { suggestion } from "../../core/text/nearest-word.ts";

/** For suggestions only: a region that is newer than this list is taken. */
const KNOWN = [
  ...["us-east-1", "us-east-2", "us-west-1", "us-west-2", "ca-central-1", "ca-west-1", "mx-central-1", "sa-east-1"],
  ...["eu-west-1", "eu-west-2", "eu-west-3", "eu-central-1", "eu-central-2", "eu-north-1", "eu-south-1", "eu-south-2"],
  ...["ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-southeast-1", "ap-southeast-2", "ap-southeast-3"],
  ...["ap-southeast-4", "ap-southeast-5", "ap-southeast-6", "ap-southeast-7", "ap-south-1", "ap-south-2", "ap-east-1"],
  ...["ap-east-2", "af-south-1", "il-central-1", "me-central-1", "me-south-1"],
  ...["us-gov-east-1", "us-gov-west-1", "cn-north-1", "cn-northwest-1"],
];

const NAME = /^(us|us-gov|ca|mx|sa|eu|ap|af|il|me|cn)-(north|south|east|west|central)?(east|west)?-\d$/;
const CLOSED = /^(us-iso[a-z]?|eu-isoe|eusc(-[a-z]+)?)-/;

/** Undefined: it can be deployed to, as far as the name tells. */
export function regionProblem(region: string): string | undefined {
  if (KNOWN.includes(region)) return undefined;
  if (CLOSED.test(region))
    return `The region ${region} belongs to a partition of AWS that is not supported; docs/deploy.md lists those that are.`;
  return NAME.test(region) ? undefined : `There is no region ${region}.${suggestion(region, KNOWN)}`;
}

/** docs.aws.amazon.com/lambda/latest/dg/tenant-isolation.html */
export const withoutTenants = (region: string): boolean => /^(ap-southeast-6$|us-gov-|cn-)/.test(region);
