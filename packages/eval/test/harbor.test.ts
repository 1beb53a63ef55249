/** Harbor runs l2mac as its agent: the command of the docs, on a task of ours, without Docker. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shellBlocks } from "../../../test/docs/shell-block.ts";
import { type InstalledRegistry, startInstalledRegistry } from "../../../test/doubles/installed-registry.ts";
import { projectRoot } from "../../../test/house-rules.ts";
import type { ScriptedAnswer, ScriptedRequest } from "../../../test/servers/scripted-completion.ts";
import { type ScriptedServer, startScriptedServer } from "../../../test/servers/scripted-openai.ts";

/** The `harbor` of an environment that has the whole package, which takes Python 3.12. */
const harbor = process.env.L2MAC_HARBOR;
const canRun = harbor !== undefined && spawnSync("bwrap", ["--version"]).status === 0;
const KEY = "example-key-of-no-one";
const checker = join(projectRoot, "test/client/check_trajectory.py");
const own = join(projectRoot, "packages/eval/test/harbor");

/** What is in the docs, with a task of this folder in the place of the benchmark. */
const block = shellBlocks.find(({ name }) => name === "docs/evaluation.md: As an agent of Harbor")?.code ?? "";
const TASK = `--path ${own}/task --env local_environment:LocalEnvironment`;

let folder: string;
let registry: InstalledRegistry;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "l2mac-harbor-test-"));
  registry = await startInstalledRegistry();
});
afterAll(async () => {
  await registry?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Trial {
  folder: string;
  result: {
    exception_info: { exception_type: string; exception_message: string } | null;
    agent_info: { name: string; version: string };
    agent_result: { n_input_tokens: number; n_output_tokens: number; cost_usd: number; metadata: { status: string } };
    verifier_result: { rewards: { reward: number } } | null;
  };
}

async function runTrial(name: string, server: ScriptedServer, more: string[] = []): Promise<Trial> {
  const jobs = join(folder, name);
  const settings = [`--jobs-dir ${jobs} --ae npm_config_registry=${registry.url}`, "--ak price=1,2", ...more].join(" ");
  const command = block
    .replace("npm pack", `[ -e l2mac-*.tgz ] || npm pack ${projectRoot}`)
    .replace("…", KEY)
    .replaceAll("packages/eval/harbor", `${projectRoot}/packages/eval/harbor:${own}`)
    .replace("--dataset terminal-bench@2.0", `${TASK} ${settings}`);
  const path = [dirname(harbor ?? ""), dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = {
    ...{ PATH: path, HOME: folder, LITELLM_LOCAL_MODEL_COST_MAP: "True", PYTHONDONTWRITEBYTECODE: "1" },
    ...{ OPENAI_BASE_URL: server.url, HARBOR_TELEMETRY: "off" },
  };
  const child = spawn("bash", ["-ec", command], { cwd: folder, env });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += String(data)));
  const [code] = await once(child, "close");
  const [job = ""] = existsSync(jobs) ? readdirSync(jobs) : [];
  const trial = readdirSync(join(jobs, job), { withFileTypes: true }).find((each) => each.isDirectory())?.name;
  if (!trial) throw new Error(`${code}: ${said}`);
  const place = join(jobs, job, trial);
  return { folder: place, result: JSON.parse(readFileSync(join(place, "result.json"), "utf8")) };
}

const calls = (...toolCalls: [string, object][]): ScriptedAnswer => ({
  toolCalls: toolCalls.map(([name, args]) => ({ name, arguments: args })),
});

const PARTS = [1, 2];

/** Two instructions, each of which writes a part; the second one changes what was there before. */
function partOf({ messages }: ScriptedRequest): { planning: boolean; part: number; written: boolean } {
  const text = messages.map(({ content }) => content ?? "").join("\n");
  const part = Number([...text.matchAll(/MARK-(\d)-BEGINS/g)].at(-1)?.[1]);
  return { planning: Number.isNaN(part), part, written: /wrote .*part-/i.test(messages.at(-1)?.content ?? "") };
}

function answer(request: ScriptedRequest): ScriptedAnswer {
  const { planning, part, written } = partOf(request);
  if (planning) {
    const instructions = PARTS.map((each) => ({
      ...{ title: `Part ${each}`, text: `MARK-${each}-BEGINS Write it.`, requirements: [] },
    }));
    return calls(["write_program", { instructions }]);
  }
  if (written || request.messages.filter(({ role }) => role === "assistant").length > 2)
    return calls(["complete_instruction", { summary: `part ${part} is written` }]);
  const files = [{ path: `parts/part-${part}.txt`, content: `part ${part}\n` }];
  if (part === 1) return calls(["write_files", { files }]);
  const script = { path: "bin/list.sh", content: "#!/bin/sh\nls parts\n" };
  return calls(["delete_files", { paths: ["old.txt"] }], ["write_files", { files: [...files, script] }]);
}

describe("l2mac as an agent of Harbor", () => {
  it("has a command in the docs that names files of the project", () => {
    expect(block).toContain("--agent l2mac_agent:L2mac");
    expect(block).toContain("--dataset terminal-bench@2.0");
    expect(existsSync(join(projectRoot, "packages/eval/harbor/l2mac_agent.py"))).toBe(true);
  });
});

const INSTRUCTION = readFileSync(join(own, "task/instruction.md"), "utf8").trim();

describe.skipIf(!canRun)("a trial of Harbor (needs L2MAC_HARBOR and bubblewrap)", () => {
  let whole: Trial;
  let asked: ScriptedRequest[];
  beforeAll(async () => {
    const server = await startScriptedServer({ answer, apiKey: KEY });
    whole = await runTrial("whole", server);
    asked = server.requests;
    await server.close();
  });

  it("installs l2mac, delivers into the working directory, and gets its reward, tokens and cost", () => {
    const { folder: trial, result } = whole;
    const { version } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
    expect(result).toMatchObject({
      exception_info: null,
      agent_info: { name: "l2mac", version },
      verifier_result: { rewards: { reward: 1 } },
    });
    const { n_input_tokens: input, n_output_tokens: output, cost_usd: usd } = result.agent_result;
    expect(input).toBeGreaterThan(1000);
    expect(usd).toBeCloseTo((input + 2 * output) / 1e6, 9);
    expect(JSON.stringify(asked[0])).toContain(INSTRUCTION);
    expect(new Set(asked.map(({ model }) => model))).toEqual(new Set(["gpt-5.5"]));
    const read = spawnSync(join(dirname(harbor ?? ""), "python"), [checker, join(trial, "agent/trajectory.json")]);
    expect(`${read.stdout}${read.stderr}`.trim()).toMatch(/^\d+ 3$/);
  });

  it("passes neither the key nor the task on a command line, and leaves the key in no file", () => {
    const commands = readFileSync(join(whole.folder, "agent/commands.txt"), "utf8");
    expect(commands).toContain("l2mac run --spec -");
    for (const text of [KEY, INSTRUCTION, "gpt-5.5", "127.0.0.1"]) expect(commands).not.toContain(text);
    // Harbor itself replaces keys that it finds in the files of a trial.
    const found = spawnSync("grep", ["-rlaF", "-e", KEY, "-e", "[REDACTED]", dirname(whole.folder)]);
    expect(String(found.stdout)).toBe("");
  });

  it("delivers what was accepted when the task's time is over", async () => {
    const held = Promise.withResolvers<void>();
    const answerFirst = async (request: ScriptedRequest): Promise<ScriptedAnswer> => {
      if (partOf(request).part === 2) await held.promise;
      return answer(request);
    };
    const server = await startScriptedServer({ answer: answerFirst, apiKey: KEY });
    const { folder: trial, result } = await runTrial("late", server, ["--agent-timeout-multiplier 0.2"]);
    held.resolve();
    await server.close();
    expect(result).toMatchObject({
      exception_info: { exception_type: "AgentTimeoutError" },
      verifier_result: { rewards: { reward: 0 } },
    });
    expect(readFileSync(join(trial, "verifier/found.txt"), "utf8")).toBe("kept.txt\nold.txt\nparts/part-1.txt\n");
    expect(result.agent_result.n_input_tokens).toBeGreaterThan(0);
  });

  it("ends with an error that Harbor may retry where the model server refuses", async () => {
    const server = await startScriptedServer({ answer, apiKey: "another" });
    const { result } = await runTrial("refused", server);
    await server.close();
    expect(result.exception_info).toMatchObject({
      exception_type: "AgentAuthenticationError",
      exception_message: expect.stringContaining("exit 3"),
    });
    expect(result.exception_info?.exception_message).not.toContain(KEY);
  });
});
