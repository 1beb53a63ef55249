/** An emulated AWS account: what a deployment leaves in it, made without deploying. */
import { CloudFormationClient, CreateStackCommand } from "@aws-sdk/client-cloudformation";
import {
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { CreateSecretCommand, GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";

const credentials = { accessKeyId: "emulated", secretAccessKey: "emulated" };

export function anAccount(endpoint: string, region: string) {
  const place = { endpoint, region, credentials };
  const stacks = new CloudFormationClient(place);
  const secrets = new SecretsManagerClient(place);
  const s3 = new S3Client({ ...place, forcePathStyle: true });
  const createStack = (StackName: string, template: object) =>
    stacks.send(new CreateStackCommand({ StackName, TemplateBody: JSON.stringify(template) }));
  return {
    env: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    createStack,
    bootstrap: (version: number) =>
      createStack("CDKToolkit", {
        Resources: { Log: { Type: "AWS::Logs::LogGroup", Properties: { LogGroupName: "/bootstrap" } } },
        Outputs: { BootstrapVersion: { Value: String(version) } },
      }),
    /** Answers its ARN. */
    async secret(Name: string, SecretString?: string): Promise<string> {
      const made = await secrets.send(new CreateSecretCommand({ Name, ...(SecretString ? { SecretString } : {}) }));
      return made.ARN ?? "";
    },
    async valueOf(SecretId: string): Promise<string | undefined> {
      return (await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString;
    },
    keepVersions: (Bucket: string) =>
      s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } })),
    put: (Bucket: string, Key: string) => s3.send(new PutObjectCommand({ Bucket, Key, Body: "x" })),
    remove: (Bucket: string, Key: string) => s3.send(new DeleteObjectCommand({ Bucket, Key })),
    async versionsIn(Bucket: string): Promise<number> {
      const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
      return Versions.length + DeleteMarkers.length;
    },
  };
}
