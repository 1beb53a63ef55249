/** What the flags of `run` become in the request, where a server computes; and what a request cannot hold. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SubmissionBody } from "../../lib/api/submission-body.ts";
import { findInZip } from "../../lib/pack/read-zip.ts";
import { aBench, type Bench } from "../doubles/command.ts";
import { type Heard, json, type ScriptedApi, startScriptedApi } from "../servers/scripted-api.ts";

let bench: Bench;
let api: ScriptedApi;
/** So many uploads get no answer. */
let breaks: number;
/** Takes everything, and then fails, so that the command ends. */
beforeEach(async () => {
  breaks = 0;
  api = await startScriptedApi(({ method, path, headers }) => {
    if (path.startsWith("/runs?")) return json({ runs: [] });
    if (path === "/uploads") {
      const url = `http://${headers.host}/put/it?signature=secret`;
      return json({ id: "01M7Z1RMSGY01SPAVCS1MK33SH", url, headers: { "x-signed": "for this" } }, 201);
    }
    if (method === "PUT" && breaks-- > 0) return undefined;
    return method === "PUT" ? {} : json({ title: "bad request", detail: "Enough was heard." }, 400);
  });
  bench = aBench({ L2MAC_API_URL: api.url });
  delete bench.env.L2MAC_EVIDENCE;
});
afterEach(async () => {
  await api.close();
  bench.remove();
});

const heardAt = (method: string, path: string): Heard | undefined =>
  api.heard.find((each) => each.method === method && each.path.startsWith(path));

async function submitted(...args: string[]): Promise<SubmissionBody> {
  const ended = await bench.run(args);
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("Enough was heard.") });
  return SubmissionBody.parse(JSON.parse(heardAt("POST", "/runs")?.body.toString() ?? ""));
}

function aFolder(files: Record<string, string | Uint8Array>): void {
  mkdirSync(join(bench.folder, "start"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(bench.folder, "start", name), content);
}

describe("the flags of run", () => {
  it("are sent, each as the field that means the same", async () => {
    bench.write("program.md", "# Program\n\n## First\n\nDo the first thing.\n");
    const flags =
      "--domain codebase --steps 7 --reflect 0 --tools write_files,read_files --model m-1 --context-window 32000 --price 0.25,2 --budget 1.5 --max-tokens 9000 --max-turns 12 --max-minutes 30 --no-tests --no-install --on-stuck skip --approve plan --name mine --seed 42 --effort low";
    expect(await submitted("A tool.", ...flags.split(" "))).toEqual({
      task: "A tool.",
      domain: "codebase",
      steps: 7,
      reflect: 0,
      tools: ["write_files", "read_files"],
      model: "m-1",
      contextWindow: 32_000,
      price: { input: 0.25, output: 2 },
      budget: { usd: 1.5, tokens: 9_000, turns: 12, minutes: 30 },
      runTests: false,
      install: false,
      name: "mine",
      onStuck: "skip",
      approve: "plan",
      seed: 42,
      effort: "low",
    });
  });

  it("say little where little is said: the server has its own defaults", async () => {
    expect(await submitted("A tool that counts.")).toEqual({ task: "A tool that counts.", name: "counts" });
  });

  it("give a program as it was read, and unknown costs as accepted", async () => {
    bench.write("program.json", JSON.stringify(["Do this.", { title: "Then", text: "that", requirements: [] }]));
    const body = await submitted("A tool.", "--program", "program.json", "--unpriced");
    expect(body).toMatchObject({
      unpriced: true,
      program: { instructions: [{ text: "Do this." }, { title: "Then" }] },
    });
  });

  it("give a prompt pack by its texts, and find what is wrong with it here", async () => {
    mkdirSync(join(bench.folder, "pack"));
    bench.write("pack/system.md", "You write tools.");
    expect((await submitted("A tool.", "--prompts", "pack")).prompts).toEqual({ "system.md": "You write tools." });
    bench.write("pack/system.md", "{{nothing}}");
    api.heard.splice(0);
    const ended = await bench.run(["A tool.", "--prompts", "pack"]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("system.md line 1") });
    expect(api.heard).toEqual([]);
  });

  it("read the task from a file", async () => {
    bench.write("task.md", "A tool for Größe.\n");
    expect((await submitted("--spec", "task.md")).task).toBe("A tool for Größe.\n");
  });

  it("of a rehearsal ask no model, whatever else is named", async () => {
    const body = await submitted("--rehearse", "--model", "gpt-5");
    expect(body).toMatchObject({ model: "rehearsal", name: "tally", task: expect.stringContaining("tally") });
  });

  it("send along what is configured here, but not what was said of a model server of one's own", async () => {
    bench.configure({ budget: 3, steps: 9, model: "gpt-5" });
    expect(await submitted("A tool.")).toMatchObject({ budget: { usd: 3 }, steps: 9, model: "gpt-5" });
    api.heard.splice(0);
    bench.configure({ budget: 3, model: "local", baseUrl: "http://127.0.0.1:8080/v1", contextWindow: 8_192 });
    const body = await submitted("A tool.", "--max-turns", "4");
    expect(body).toEqual({ task: "A tool.", name: "tool", budget: { usd: 3, turns: 4 } });
  });

  it("carry a key of their own with each submission", async () => {
    await submitted("A tool.");
    expect(heardAt("POST", "/runs")?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("existing files", () => {
  it("go along with the task where they are text and few", async () => {
    aFolder({ "one.txt": "eins\n", "größe.md": "\ufeffmit BOM" });
    expect((await submitted("Go on.", "--from", "start")).files).toEqual([
      { path: "größe.md", content: "\ufeffmit BOM" },
      { path: "one.txt", content: "eins\n" },
    ]);
  });

  it.each<[string, Record<string, string | Uint8Array>]>([
    ["bytes", { "one.txt": "eins\n", "image.bin": new Uint8Array([0, 255, 254]) }],
    ["many bytes", { "one.txt": "eins\n".repeat(200_000) }],
  ])("are uploaded as a zip where they are %s, with the headers that the link was signed for", async (_, files) => {
    aFolder(files);
    const body = await submitted("Go on.", "--from", "start");
    expect(body).toMatchObject({ uploads: { files: "01M7Z1RMSGY01SPAVCS1MK33SH" } });
    expect(body.files).toBeUndefined();
    const put = heardAt("PUT", "/put/it?signature=secret");
    expect(put?.headers).toMatchObject({ "x-signed": "for this", "content-length": String(put?.body.length) });
    expect(JSON.parse(heardAt("POST", "/uploads")?.body.toString() ?? "")).toEqual({ bytes: put?.body.length });
    const found = await findInZip("it", put?.body ?? Buffer.of()).read();
    expect([...found.keys()].toSorted()).toEqual(Object.keys(files).toSorted());
    for (const [name, content] of Object.entries(files)) {
      expect(Buffer.from(found.get(name) ?? []).equals(Buffer.from(content)), name).toBe(true);
    }
  });

  it("that .gitignore excludes stay here, and are named", async () => {
    aFolder({ ".gitignore": "*.log\n", "one.txt": "eins\n", "a.log": "x\n" });
    const ended = await bench.run(["Go on.", "--from", "start"]);
    expect(ended.stderr).toContain(
      "took 2 files, left out 1: 1 excluded by .gitignore.\n  excluded by .gitignore: a.log\n",
    );
    const body = JSON.parse(heardAt("POST", "/runs")?.body.toString() ?? "");
    expect(body.files.map(({ path }: { path: string }) => path).sort()).toEqual([".gitignore", "one.txt"]);
  });

  it("are sent once more, by another link, where the first upload breaks off", async () => {
    aFolder({ "image.bin": new Uint8Array([0, 255]) });
    breaks = 1;
    expect(await submitted("Go on.", "--from", "start")).toHaveProperty("uploads");
    expect(api.heard.filter(({ path }) => path === "/uploads")).toHaveLength(2);
  });

  it("and given tests go each under their own name, said to be taken where both have a path", async () => {
    aFolder({ "one.py": "1\n", "test_one.py": "old\n" });
    mkdirSync(join(bench.folder, "given"));
    bench.write("given/test_one.py", "new\n");
    const body = await submitted("Go on.", "--from", "start", "--tests", "given");
    expect(body.tests).toEqual([{ path: "test_one.py", content: "new\n" }]);
    expect(body.files).toHaveLength(2);
    api.heard.splice(0);
    writeFileSync(join(bench.folder, "given", "data.bin"), new Uint8Array([0, 255]));
    const uploaded = await submitted("Go on.", "--from", "start", "--tests", "given");
    expect(uploaded.uploads).toEqual({ tests: "01M7Z1RMSGY01SPAVCS1MK33SH" });
    expect(uploaded.files).toHaveLength(2);
  });

  it("that cannot be a run's are refused before anything is sent", async () => {
    aFolder({ "con.txt": "x" });
    const ended = await bench.run(["Go on.", "--from", "start"]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("Windows keeps for devices") });
    expect(api.heard).toEqual([]);
  });
});
