/** CloudFormation in any state, on loopback: what no emulator can be brought to. It answers what the commands ask, no more. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ScriptedResource {
  type: string;
  status: string;
  properties?: Record<string, unknown>;
  kept?: boolean;
  /** Absent: it has one. */
  unnamed?: boolean;
}

export interface ScriptedStack {
  status: string;
  reason?: string;
  /** By logical id. */
  resources: Record<string, ScriptedResource>;
}

export interface ScriptedCloudFormation {
  /** For the commands: the endpoint, a region, credentials. */
  env: Record<string, string>;
  /** From now on; undefined: there is no stack. */
  set(stack: ScriptedStack | undefined): void;
  close(): Promise<void>;
}

const ACCOUNT = "123456789012";

export async function startCloudFormation(name: string): Promise<ScriptedCloudFormation> {
  let stack: ScriptedStack | undefined;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { status, xml } = answerTo(new URLSearchParams(body), name, stack);
    response.writeHead(status, { "content-type": "text/xml" }).end(xml);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    env: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ...{ AWS_REGION: "eu-west-1", AWS_ACCESS_KEY_ID: "scripted", AWS_SECRET_ACCESS_KEY: "scripted" },
    },
    set(next) {
      stack = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface Answer {
  status: number;
  xml: string;
}

function answerTo(asked: URLSearchParams, name: string, stack: ScriptedStack | undefined): Answer {
  const action = asked.get("Action") ?? "";
  const result = (xml: string): Answer => ({
    status: 200,
    xml: `<${action}Response><${action}Result>${xml}</${action}Result></${action}Response>`,
  });
  if (action === "GetCallerIdentity")
    return result(`<Arn>arn:aws:iam::${ACCOUNT}:user/u</Arn><UserId>U</UserId><Account>${ACCOUNT}</Account>`);
  if (action === "DescribeStacks" && asked.get("StackName") === "CDKToolkit")
    return result(stackXml("CDKToolkit", { status: "CREATE_COMPLETE", resources: {} }, "BootstrapVersion"));
  if (asked.get("StackName") !== name || !stack) return absent(asked.get("StackName") ?? "");
  if (action === "DescribeStacks") return result(stackXml(name, stack));
  if (action === "GetTemplate") return result(`<TemplateBody>${escaped(templateOf(stack))}</TemplateBody>`);
  if (action === "ListStackResources")
    return result(`<StackResourceSummaries>${resourcesXml(stack)}</StackResourceSummaries>`);
  return { status: 400, xml: errorXml("AccessDenied", `not authorized to perform: ${action}`) };
}

const stackXml = (name: string, { status, reason }: ScriptedStack, output?: string): string =>
  `<Stacks><member><StackName>${name}</StackName><CreationTime>2026-03-01T12:00:00Z</CreationTime>` +
  `<StackStatus>${status}</StackStatus>${reason ? `<StackStatusReason>${escaped(reason)}</StackStatusReason>` : ""}` +
  `<Outputs>${output ? `<member><OutputKey>${output}</OutputKey><OutputValue>21</OutputValue></member>` : ""}</Outputs>` +
  "</member></Stacks>";

const templateOf = ({ resources }: ScriptedStack): string =>
  JSON.stringify({
    Resources: Object.fromEntries(
      Object.entries(resources).map(([id, { type, properties, kept }]) => [
        id,
        { Type: type, Properties: properties, ...(kept ? { DeletionPolicy: "Retain" } : {}) },
      ]),
    ),
  });

const resourcesXml = ({ resources }: ScriptedStack): string =>
  Object.entries(resources)
    .map(
      ([id, { type, status, unnamed }]) =>
        `<member><LogicalResourceId>${id}</LogicalResourceId><ResourceType>${type}</ResourceType>` +
        `${unnamed ? "" : `<PhysicalResourceId>L2mac-${id}</PhysicalResourceId>`}` +
        `<ResourceStatus>${status}</ResourceStatus><LastUpdatedTimestamp>2026-03-01T12:00:00Z</LastUpdatedTimestamp></member>`,
    )
    .join("");

const absent = (name: string): Answer => ({
  status: 400,
  xml: errorXml("ValidationError", `Stack with id ${name} does not exist`),
});

const errorXml = (code: string, message: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped(message)}</Message></Error></ErrorResponse>`;

const escaped = (text: string): string => text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
