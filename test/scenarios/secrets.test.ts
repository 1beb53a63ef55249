/** Secrets in the task, in the files that a run starts from, and in what is written: masked in every place that shows them. */
import { expect, it } from "vitest";
import { outputTree } from "../../lib/control/files/run-tree.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { aSubmission, compute } from "../doubles/machines.ts";
import { lastingStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { turnsOf, writeFile } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

/** In parts, so that this file holds none itself. */
const OLD = ["gh", "p_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"].join("");
const NEW = ["gl", "pat-zQ8wE6rT4yU2iO1pA3sD"].join("");
const IN_TASK = ["xo", "xb-123456789012-aB3dE5fG7hI9"].join("");
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

it("the model sees none of the user's, changes the file around them, and is advised on its own", async () => {
  const model = turnsOf([
    [
      [["read_files", { files: [{ path: "config.py" }] }]],
      [["edit_file", { path: "config.py", edits: [{ find: "LIMIT = 1", replace: "LIMIT = 2" }] }]],
      [["search_files", { pattern: "TOKEN" }]],
      [writeFile("deploy.py", `KEY = "${NEW}"\n`)],
    ],
  ]);
  const storage = lastingStorage();
  const machine = opened({ model, storage });
  const from = new Map([["config.py", new TextEncoder().encode(`TOKEN = "${OLD}"\nLIMIT = 1\n`)]]);
  const submission = { from, task: `Raise the limit, and report to ${IN_TASK}.` };
  const run = await compute(machine, await aSubmission({ options: { reflect: 0, from: true }, submission }));
  expect(run.status).toBe("completed");

  const asked = JSON.stringify(
    model.requests.map(({ messages }) => messages.filter(({ role }) => role !== "assistant")),
  );
  for (const secret of [OLD, NEW, IN_TASK]) expect(asked).not.toContain(secret);
  expect(asked).toContain('TOKEN = \\"[secret: github token]');
  expect(asked).toContain("deploy.py (gitlab token): this looks like a secret");
  expect(asked).toContain("report to [secret: slack token]");

  const tree = await outputTree(storage.files, run);
  expect(text(tree.get("config.py"))).toBe(`TOKEN = "${OLD}"\nLIMIT = 2\n`);
  expect(text(tree.get("deploy.py"))).toBe(`KEY = "${NEW}"\n`);

  const events = JSON.stringify(await machine.registry.events(run.id, { after: 0, limit: 1_000 }));
  const report = text(await storage.files.get(fileStoreKeys(run.id).report));
  for (const shown of [events, report, run.title])
    for (const secret of [OLD, NEW, IN_TASK]) expect(shown).not.toContain(secret);
  expect(events.match(/Masked before the model sees it: github token \(config\.py\)/g)).toHaveLength(1);
  expect(events).toContain(
    "The files hold what looks like secrets: config.py:1 (github token), deploy.py:1 (gitlab token).",
  );
  expect(JSON.parse(report).secrets).toMatchObject({
    inFiles: [{ path: "config.py", line: 1, kind: "github token" }, {}],
  });
  expect(run.secrets).toBe(JSON.parse(report).secrets.masked);

  const replayed = await machine.replay(run.id);
  expect(replayed.difference).toBeUndefined();
  expect(replayed.treeHash).toBe(replayed.expected);
});

it("a file that is moved keeps the user's secrets, in the replay too", async () => {
  const move = { moves: [{ from: "config.py", to: "app/config.py" }] };
  const storage = lastingStorage();
  const machine = opened({ model: turnsOf([[[["move_files", move]]]]), storage });
  const from = new Map([["config.py", new TextEncoder().encode(`TOKEN = "${OLD}"\n`)]]);
  const run = await compute(machine, await aSubmission({ options: { reflect: 0, from: true }, submission: { from } }));
  expect(run.status).toBe("completed");
  const tree = await outputTree(storage.files, run);
  expect([...tree.keys()]).toEqual(["app/config.py"]);
  expect(text(tree.get("app/config.py"))).toBe(`TOKEN = "${OLD}"\n`);
  const replayed = await machine.replay(run.id);
  expect(replayed).toMatchObject({ treeHash: replayed.expected });
  expect(replayed.difference).toBeUndefined();
});
