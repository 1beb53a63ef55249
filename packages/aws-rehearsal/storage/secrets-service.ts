/** Secrets Manager's GetSecretValue: the template's secrets, without a value until one is set. */
import type { Deployment, Service } from "../parts.ts";

export interface Secrets {
  service: Service;
  /** Absent: as it was deployed. */
  set(value: string | undefined): void;
}

export function createSecrets(deployed: Deployment): Secrets {
  const declared = new Set(
    Object.values(deployed.resources).flatMap(({ type, ref }) => (type === "AWS::SecretsManager::Secret" ? [ref] : [])),
  );
  let value: string | undefined;
  return {
    set: (given) => {
      value = given;
    },
    service: async ({ headers, body }) => {
      const target = headers["x-amz-target"];
      if (target !== "secretsmanager.GetSecretValue") throw new Error(`Secrets Manager is not played for ${target}.`);
      const { SecretId = "" } = JSON.parse(body.toString()) as { SecretId?: string };
      if (!declared.has(SecretId)) return notFound("Secrets Manager can't find the specified secret.");
      if (value === undefined) return notFound(NO_VALUE);
      return answer(200, { ARN: SecretId, VersionStages: ["AWSCURRENT"], SecretString: value });
    },
  };
}

const NO_VALUE = "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT";

const notFound = (message: string) => answer(400, { __type: "ResourceNotFoundException", message });

const answer = (status: number, json: unknown) => ({
  status,
  headers: { "content-type": "application/x-amz-json-1.1" },
  body: Buffer.from(JSON.stringify(json)),
});
