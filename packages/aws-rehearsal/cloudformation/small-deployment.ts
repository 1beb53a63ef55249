/** For tests: a deployment written by hand, and an IAM that allows everything except listed denials. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ask, Denial, DeployedResource, Deployment, Iam, Principal } from "../parts.ts";

export function aDeployment(resources: Partial<DeployedResource>[]): Deployment {
  const made = resources.map((resource) => aResource(resource));
  return {
    ...{ partition: "aws", region: "us-east-1", account: "123456789012", stackName: "Small", outputs: {} },
    resources: Object.fromEntries(made.map((resource) => [resource.logicalId, resource])),
  };
}

const aResource = ({ logicalId = "It", ...rest }: Partial<DeployedResource>): DeployedResource => ({
  ...{ logicalId, type: "AWS::Nothing", ref: logicalId, properties: {} },
  ...rest,
});

const made: string[] = [];

/** Files, each by its path from a folder where no packages can be found. */
export function aFolder(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-small-"));
  made.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** All that were made. */
export function removeFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export const arnOfFunction = (name: string): string => `arn:aws:lambda:us-east-1:123456789012:function:${name}`;

export const aFunction = (
  name: string,
  codeFolder: string,
  properties: Record<string, unknown> = {},
): Partial<DeployedResource> => ({
  ...{ logicalId: name, type: "AWS::Lambda::Function", ref: name, arn: arnOfFunction(name), codeFolder },
  properties: {
    ...{ Runtime: "nodejs24.x", Handler: "entry.handler", Timeout: 20, MemorySize: 256 },
    ...{ Role: `arn:aws:iam::123456789012:role/${name}Role`, Code: {} },
    ...properties,
  },
});

export interface AskingIam extends Iam {
  asked: (Ask & { principal: string })[];
  assumed: { roleArn: string; service: string }[];
}

export function anIam(denies: (ask: Ask) => boolean = () => false): AskingIam {
  const denials: Denial[] = [];
  const asked: AskingIam["asked"] = [];
  const assumed: AskingIam["assumed"] = [];
  const principalOf = (name: string, arn: string): Principal => ({
    ...{ name, arn },
    credentials: { accessKeyId: "ASIASMALL", secretAccessKey: "small-secret", sessionToken: `session of ${name}` },
  });
  return {
    ...{ asked, assumed, ledger: { uses: [], denials } },
    assume(roleArn, service) {
      assumed.push({ roleArn, service });
      const name = roleArn.split("/").at(-1) ?? "";
      return principalOf(name, `arn:aws:sts::123456789012:assumed-role/${name}/session`);
    },
    user: (name) => principalOf(name, `arn:aws:iam::123456789012:user/${name}`),
    find: () => undefined,
    authorise(principal, asks) {
      for (const ask of asks) {
        asked.push({ ...ask, principal: principal.name });
        if (!denies(ask)) continue;
        const { action, resource } = ask;
        const message = `User: ${principal.arn} is not authorized to perform: ${action} on resource: ${resource}`;
        const denied = { principal: principal.name, action, resource, message };
        denials.push(denied);
        return denied;
      }
      return undefined;
    },
  };
}
