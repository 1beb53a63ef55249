/** The real template's API, called by curl, with a function that answers as the test defines. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../lib/host/system-clock.ts";
import { createCaller } from "../caller.ts";
import { deployQuickly, PLACE, resourceIn } from "../cloudformation/quick-deployment.ts";
import { aFolder, removeFolders } from "../cloudformation/small-deployment.ts";
import { createIam } from "../iam/iam.ts";
import type { Deployment, Functions, InvocationResult, PolicyStatement, Principal } from "../parts.ts";
import { ServiceError } from "../service-error.ts";
import { verify } from "../sigv4/sigv4.ts";
import { type Gateway, type GatewayParts, startGateway } from "./gateway.ts";

let deployed: Deployment;
beforeAll(() => {
  deployed = deployQuickly();
});

afterAll(removeFolders);

const open: Gateway[] = [];
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.stop();
});

const EVERYTHING: PolicyStatement[] = [{ Effect: "Allow", Action: "execute-api:Invoke", Resource: "*" }];

interface Event {
  [field: string]: unknown;
  body: string | null;
  requestContext: { [field: string]: unknown; domainName: string; identity: Record<string, unknown> };
}

async function start(
  answer: (event: Event) => unknown = (event) => ({ statusCode: 200, headers: {}, body: JSON.stringify(event) }),
  parts: Partial<GatewayParts> = {},
) {
  const events: Event[] = [];
  const functions: Functions = {
    async invoke({ payload, functionArn }) {
      expect(functionArn).toBe(resourceIn(deployed, "AWS::Lambda::Function", "ApiFunction").arn);
      const event = JSON.parse(payload) as Event;
      events.push(event);
      const said = await answer(event);
      const failed = said instanceof Error ? { functionError: "Unhandled" as const } : {};
      return { payload: JSON.stringify(said ?? null), requestId: "r", millis: 1, ...failed } satisfies InvocationResult;
    },
    stop: async () => {},
  };
  const at = parts.deployed ?? deployed;
  const iam = createIam(at);
  const { region } = PLACE;
  const gateway = await startGateway({
    ...{ deployed: at, functions, iam },
    verify: (request) => verify(request, { iam, region, services: ["execute-api"], now: Date.now() }),
    ...parts,
  });
  open.push(gateway);
  return { gateway, events, iam, ada: iam.user("ada", EVERYTHING) };
}

interface CurlAnswer {
  status: number;
  headers: string;
  text: string;
  json(): Record<string, unknown>;
}

/** As somebody would at a prompt. */
async function curl(url: string, who?: Principal, more: string[] = []): Promise<CurlAnswer> {
  const { accessKeyId = "", secretAccessKey = "" } = who?.credentials ?? {};
  const signing = ["--aws-sigv4", `aws:amz:${PLACE.region}:execute-api`, "--user", `${accessKeyId}:${secretAccessKey}`];
  const argv = ["-sk", "--path-as-is", "-D", "-", "-w", "\n%{http_code}", ...(who ? signing : []), ...more, url];
  const { stdout } = await promisify(execFile)("curl", argv, { maxBuffer: 64 * 1024 * 1024 });
  const [headers = "", ...bodies] = stdout.replace(/^HTTP\/1.1 100 Continue\r\n\r\n/, "").split("\r\n\r\n");
  const whole = bodies.join("\r\n\r\n");
  const text = whole.slice(0, whole.lastIndexOf("\n"));
  return { status: Number(whole.slice(-3)), headers: headers.toLowerCase(), text, json: () => JSON.parse(text) };
}

const post = (body: string) => ["-X", "POST", "-H", "content-type: application/json", "--data-binary", body];

describe("the gateway", () => {
  it("makes an event of a signed request, as a REST API's proxy integration does", async () => {
    const { gateway, ada, events } = await start();
    const said = await curl(`${gateway.url}/runs/01R/file?path=a%2Fb&tag=1&tag=2`, ada, post('{"a":"長"}'));
    expect(said.status).toBe(200);
    const [event] = events;
    expect(event).toMatchObject({
      resource: "/{proxy+}",
      path: "/runs/01R/file",
      httpMethod: "POST",
      headers: { "content-type": "application/json" },
      multiValueHeaders: { "content-type": ["application/json"] },
      queryStringParameters: { path: "a/b", tag: "2" },
      multiValueQueryStringParameters: { path: ["a/b"], tag: ["1", "2"] },
      pathParameters: { proxy: "runs/01R/file" },
      stageVariables: null,
      isBase64Encoded: true,
      requestContext: {
        accountId: PLACE.account,
        apiId: resourceIn(deployed, "AWS::ApiGateway::RestApi").ref,
        resourcePath: "/{proxy+}",
        path: "/v1/runs/01R/file",
        stage: "v1",
        identity: {
          userArn: `arn:aws:iam::${PLACE.account}:user/ada`,
          accessKey: ada.credentials.accessKeyId,
          sourceIp: "127.0.0.1",
        },
      },
    });
    expect(Buffer.from(event?.body ?? "", "base64").toString()).toBe('{"a":"長"}');
    expect(JSON.stringify(event?.headers)).not.toMatch(/AWS4-HMAC/);
    expect(gateway.url).toBe(`http://${event?.requestContext.domainName}/v1`);
  });

  it("has no body where none was sent, and leaves a path encoded", async () => {
    const { gateway, ada, events } = await start();
    // Some tools sign such a path otherwise than AWS does, curl among them.
    const caller = createCaller({ principal: ada, region: PLACE.region, url: gateway.url });
    expect((await caller.ask("GET", "/runs/a%20b/%E9%95%B7")).status).toBe(200);
    expect(events[0]).toMatchObject({
      body: null,
      isBase64Encoded: false,
      path: "/runs/a%20b/%E9%95%B7",
      pathParameters: { proxy: "runs/a%20b/%E9%95%B7" },
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
    });
  });

  it("has the top of the API as a resource of its own", async () => {
    const { gateway, ada, events } = await start();
    expect((await curl(`${gateway.url}/`, ada)).status).toBe(200);
    expect(events[0]).toMatchObject({ resource: "/", path: "/", pathParameters: null });
  });

  it("answers over TLS too, where the links lead to that the function makes of its domain's name", async () => {
    const link = ({ requestContext: { domainName, stage } }: Event) => `https://${domainName}/${stage}/runs/01R`;
    const { gateway, ada } = await start((event) => ({
      statusCode: 303,
      headers: { Location: link(event) },
      body: "",
    }));
    const said = await curl(`${gateway.secureUrl}/runs`, ada);
    const [, location = ""] = /^location: (.+?)\r?$/m.exec(said.headers) ?? [];
    expect(location).toBe(`${gateway.secureUrl}/runs/01r`);
    expect((await curl(location, ada)).status).toBe(303);
    const trusted = join(aFolder({ "cert.pem": gateway.certificate }), "cert.pem");
    const { stdout } = await promisify(execFile)("curl", ["-s", "-w", "%{http_code}", "--cacert", trusted, location]);
    expect(stdout).toMatch(/403$/);
  });

  it("gives bytes back that came in base64, and text as it is", async () => {
    const bytes = Buffer.from([0x50, 0x4b, 0, 0xff]);
    const { gateway, ada } = await start(({ path }) =>
      path === "/zip"
        ? {
            statusCode: 200,
            headers: { "content-type": "application/zip" },
            body: bytes.toString("base64"),
            isBase64Encoded: true,
          }
        : { statusCode: "201", multiValueHeaders: { "x-both": ["1", "2"] }, headers: { Date: "never" }, body: "長" },
    );
    const { accessKeyId, secretAccessKey } = ada.credentials;
    const argv = [
      "-s",
      "--aws-sigv4",
      `aws:amz:${PLACE.region}:execute-api`,
      "--user",
      `${accessKeyId}:${secretAccessKey}`,
    ];
    const { stdout } = await promisify(execFile)("curl", [...argv, `${gateway.url}/zip`], { encoding: "buffer" });
    expect(stdout).toEqual(bytes);
    const said = await curl(`${gateway.url}/text`, ada);
    expect(said).toMatchObject({ status: 201, text: "長" });
    expect(said.headers).toMatch(/^x-both: 1,2\r?$/m);
    expect(said.headers).toMatch(/^x-amzn-remapped-date: never\r?$/m);
  });
});

describe("what the gateway says itself", () => {
  const problem = (said: CurlAnswer, status: number, title: string, detail: RegExp | string) => {
    expect(said.status).toBe(status);
    expect(said.headers).toMatch(/^content-type: application\/problem\+json\r?$/m);
    expect(said.json()).toEqual({
      type: "about:blank",
      title,
      detail: typeof detail === "string" ? detail : expect.stringMatching(detail),
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  };

  it("has the form that the stack gives it: to a request without a signature, and to one that leads nowhere", async () => {
    const { gateway, events, ada } = await start();
    const missing = ["MISSING_AUTHENTICATION_TOKEN", "Missing Authentication Token"] as const;
    problem(await curl(`${gateway.url}/runs`), 403, ...missing);
    problem(await curl(gateway.url.replace("/v1", "/v2/runs"), ada), 403, ...missing);
    expect(events).toEqual([]);
  });

  it("refuses a wrong secret and an unknown key", async () => {
    const { gateway, ada, events } = await start();
    const as = (credentials: Partial<Principal["credentials"]>) =>
      curl(`${gateway.url}/runs`, { ...ada, credentials: { ...ada.credentials, ...credentials } });
    problem(await as({ secretAccessKey: "guessed" }), 403, "INVALID_SIGNATURE", /does not match/);
    problem(await as({ accessKeyId: "AKIANOBODY" }), 403, "ACCESS_DENIED", /token included in the request is invalid/);
    expect(events).toEqual([]);
  });

  it("asks IAM for the method and the path of the request", async () => {
    const { gateway, iam, events } = await start();
    const resource = `arn:aws:execute-api:${PLACE.region}:${PLACE.account}:*/v1/GET/runs/*`;
    const reader = iam.user("reader", [{ Effect: "Allow", Action: "execute-api:Invoke", Resource: resource }]);
    expect((await curl(`${gateway.url}/runs/01R`, reader)).status).toBe(200);
    problem(
      await curl(`${gateway.url}/runs`, reader, post("{}")),
      403,
      "ACCESS_DENIED",
      /not authorized to perform: execute-api:Invoke/,
    );
    expect(events).toHaveLength(1);
  });

  it("needs the function's own permission to call it", async () => {
    const resources = Object.fromEntries(
      Object.entries(deployed.resources).filter(([, { type }]) => type !== "AWS::Lambda::Permission"),
    );
    const { gateway, ada, events } = await start(undefined, { deployed: { ...deployed, resources } });
    problem(await curl(`${gateway.url}/runs`, ada), 500, "API_CONFIGURATION_ERROR", "Internal server error");
    expect(events).toEqual([]);
  });

  it("takes no more than 10 MB", async () => {
    const { gateway, ada } = await start();
    const large = (bytes: number) =>
      promisify(execFile)("sh", [
        ...[
          "-c",
          `head -c ${bytes} /dev/zero | curl -s -o /dev/null -w '%{http_code}' --aws-sigv4 "$0" --user "$1" --data-binary @- "$2"`,
        ],
        ...[`aws:amz:${PLACE.region}:execute-api`, `${ada.credentials.accessKeyId}:${ada.credentials.secretAccessKey}`],
        `${gateway.url}/runs`,
      ]);
    expect((await large(10 * 1024 * 1024 + 1)).stdout).toBe("413");
    expect((await large(1024 * 1024)).stdout).toBe("200");
  });

  it.each([
    ["an error of the function", new Error("so it is")],
    ["nothing", undefined],
    ["a body that is no text", { statusCode: 200, body: {} }],
    ["no status", { body: "" }],
    ["a field of its own", { statusCode: 200, body: "", cookies: [] }],
  ])("is a bad gateway where the function answers %s", async (_, said) => {
    const { gateway, ada } = await start(() => said);
    problem(await curl(`${gateway.url}/runs`, ada), 502, "API_CONFIGURATION_ERROR", "Internal server error");
  });

  it("is a time-out where the function takes longer than the integration waits", async () => {
    const clock = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal) };
    const never = new Promise(() => {});
    const { gateway, ada } = await start(() => never, { clock });
    problem(await curl(`${gateway.url}/runs`, ada), 504, "INTEGRATION_TIMEOUT", "Endpoint request timed out");
  });

  it.each([
    [413, "REQUEST_TOO_LARGE", 413],
    [429, "API_CONFIGURATION_ERROR", 500],
  ])("stands for what Lambda refuses with %d", async (status, title, expected) => {
    const { gateway, ada } = await start(undefined, {
      functions: { invoke: () => Promise.reject(new ServiceError("It", status, "so it is")), stop: async () => {} },
    });
    problem(await curl(`${gateway.url}/runs`, ada), expected, title, /./);
  });

  it("is that there are too many, beyond what the stage lets through at once", async () => {
    const { gateway, ada } = await start(undefined, { clock: { ...systemClock, now: () => 0 } });
    const { accessKeyId, secretAccessKey } = ada.credentials;
    const argv = [
      "-s",
      "-o",
      "/dev/null",
      "-w",
      "%{http_code}\n",
      "--aws-sigv4",
      `aws:amz:${PLACE.region}:execute-api`,
    ];
    const urls = Array.from({ length: 101 }, () => ["-o", "/dev/null", `${gateway.url}/runs`]).flat();
    const { stdout } = await promisify(execFile)("curl", [
      ...argv,
      "--user",
      `${accessKeyId}:${secretAccessKey}`,
      ...urls,
    ]);
    expect(stdout.trim().split("\n")).toEqual([...Array(100).fill("200"), "429"]);
  });
});
