/** Secrets Manager's one operation that is played. Pure. */
import { isProblem, type Place, type ReadOperation, readTarget, unknownOperation } from "./operation.ts";

export const secretsOperation: ReadOperation = (request, place) => {
  const read = readTarget(request, "secretsmanager");
  if (isProblem(read)) return read;
  const { name, input } = read;
  if (name !== "GetSecretValue") return unknownOperation(`Secrets Manager's ${name}`);
  const resource = arnOf(String(input.SecretId), place);
  return { name, about: "secret", asks: [{ action: "secretsmanager:GetSecretValue", resource }] };
};

/** By its name too: the ARN ends in six characters that only Secrets Manager knows. */
function arnOf(secretId: string, { partition, region, account, resources }: Place): string {
  if (secretId.startsWith("arn:")) return secretId;
  const before = `arn:${partition}:secretsmanager:${region}:${account}:secret:${secretId}`;
  const declared = Object.values(resources).find(
    ({ type, ref }) =>
      type === "AWS::SecretsManager::Secret" && ref.startsWith(`${before}-`) && ref.length === before.length + 7,
  );
  return declared?.ref ?? before;
}
