/** What a model server refuses or breaks, through the whole command: a line with what to do, the exit code, and nothing paid twice. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { aBench, type Ended } from "../doubles/command.ts";

type Answer = (call: number, response: ServerResponse) => void;

const servers: Server[] = [];
const bench = aBench({
  AWS_REGION: "eu-west-1",
  AWS_ACCESS_KEY_ID: "AKIATESTKEYOFNOBODY1",
  AWS_SECRET_ACCESS_KEY: "s",
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});
afterAll(() => bench.remove());

/** Counts the calls of the model; everything else that is asked is not found. */
async function startServer(answer: Answer): Promise<{ url: string; calls: () => number }> {
  let calls = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      if (request.method !== "POST" || /\/api\/show$/.test(request.url ?? "")) return response.writeHead(404).end("{}");
      calls += 1;
      return answer(calls, response);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls: () => calls };
}

const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
};

interface Done {
  ended: Ended;
  calls: number;
  run: { status: string; microUsd: number; turns: number };
}

async function compute(model: string[], url: string, calls: () => number): Promise<Done> {
  bench.env.AWS_ENDPOINT_URL_BEDROCK_RUNTIME = url;
  const ended = await bench.run([
    "A note.",
    ...model,
    "--domain",
    "custom",
    "--steps",
    "1",
    "--reflect",
    "0",
    "--json",
  ]);
  const listed = JSON.parse((await bench.run(["list", "--json"])).stdout.trim().split("\n")[0] ?? "{}");
  const run = Array.isArray(listed.runs) ? listed.runs[0] : listed;
  return { ended, calls: calls(), run };
}

/** Lines that begin like a frame of a stack trace. */
const STACK = /^\s+at \S+ \(/m;

describe("Bedrock", () => {
  const MODEL = ["--model", "bedrock/eu.anthropic.claude-opus-5", "--no-stream"];
  const refusing =
    (name: string, message: string, status = 400): Answer =>
    (_, response) =>
      json(response, status, { message }, { "x-amzn-errortype": name });

  it.each<[string, Answer, number, RegExp]>([
    [
      "a model that the region does not have",
      refusing("ValidationException", "The provided model identifier is invalid."),
      4,
      /aws bedrock list-inference-profiles --region eu-west-1/,
    ],
    [
      "a model to which access was not granted",
      refusing("AccessDeniedException", "You don't have access to the model with the specified model ID.", 403),
      3,
      /aws bedrock-runtime converse .*https:\/\/eu-west-1\.console\.aws\.amazon\.com\/bedrock\/\S+modelcatalog/,
    ],
    [
      "credentials that have expired",
      refusing("ExpiredTokenException", "The security token included in the request is expired", 403),
      3,
      /sign in again \(aws sso login/,
    ],
    [
      "a model without tools",
      refusing("ValidationException", "This model doesn't support tool use."),
      4,
      /cannot call tools through Converse: choose another with --model/,
    ],
  ])("%s ends the run at the first call, unpaid", async (_, answer, code, says) => {
    const { url, calls } = await startServer(answer);
    const done = await compute(MODEL, url, calls);
    expect(done.ended.code, done.ended.stderr).toBe(code);
    expect(`${done.ended.stdout}${done.ended.stderr}`).toMatch(says);
    expect(done.ended.stderr).not.toMatch(STACK);
    expect(done).toMatchObject({ calls: 1, run: { status: "failed", microUsd: 0 } });
  });

  it("is waited for where it throttles, and what it answers then is paid once", async () => {
    const { url, calls } = await startServer((call, response) => {
      if (call === 1)
        return json(
          response,
          429,
          { message: "Too many tokens" },
          { "x-amzn-errortype": "ThrottlingException", "retry-after": "1" },
        );
      const input =
        call === 2
          ? { instructions: [{ title: "A", text: "Write it.", requirements: [] }] }
          : { files: [{ path: "a.md", content: "A.\n" }] };
      const [name, given] =
        call === 2
          ? ["write_program", input]
          : call === 3
            ? ["write_files", input]
            : ["complete_instruction", { summary: "done" }];
      return json(response, 200, {
        output: {
          message: { role: "assistant", content: [{ toolUse: { toolUseId: `t${call}`, name, input: given } }] },
        },
        stopReason: "tool_use",
        usage: { inputTokens: 1_000, outputTokens: 100, totalTokens: 1_100 },
      });
    });
    const done = await compute(MODEL, url, calls);
    expect(done.ended.stderr).not.toMatch(STACK);
    expect(done).toMatchObject({ calls: 4, run: { status: "completed", turns: 3 } });
  });
});

describe("a server that speaks Chat Completions", () => {
  const MODEL = (url: string) => ["--base-url", `${url}/v1`, "--model", "m", "--context-window", "32000"];
  const part = (delta: object, more: object = {}): string =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta, ...more }] })}\n\n`;

  it.each<[string, Answer, RegExp]>([
    [
      "that answers with a page of HTML",
      (_, response) => {
        response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
      },
      /HTML|not JSON|no answer of a model server/i,
    ],
    [
      "that answers 200 with an error inside",
      (_, response) => json(response, 200, { error: { message: "upstream refused it", code: 400 } }),
      /upstream refused it/,
    ],
    [
      "whose stream ends in the middle of a call",
      (_, response) => {
        const call = { index: 0, id: "t", type: "function", function: { name: "write_program", arguments: '{"instr' } };
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(part({ role: "assistant", tool_calls: [call] }), () => response.destroy());
      },
      /broke off|ended|closed/,
    ],
  ])("%s is asked again a few times, then named with what to do", async (_, answer, says) => {
    const { url, calls } = await startServer(answer);
    const done = await compute(MODEL(url), url, calls);
    expect(done.ended.code, done.ended.stderr).toBe(4);
    expect(`${done.ended.stdout}${done.ended.stderr}`).toMatch(says);
    expect(done.ended.stderr).toMatch(/l2mac (?:resume|doctor)/);
    expect(done.ended.stderr).not.toMatch(STACK);
    expect(done.run.status).toBe("failed");
    expect(done.calls).toBeLessThanOrEqual(8);
  });
});
