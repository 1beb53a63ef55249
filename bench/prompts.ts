/** What prompts cost: the five instructions of a rehearsal, turn by turn and block by block, and a planner's view of this repository. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import type { Model, ModelRequest } from "../lib/core/ports.ts";
import { extractRequirements } from "../lib/core/program/requirements.ts";
import { projectFile } from "../lib/files/project-files.ts";
import { readFolder } from "../lib/files/read-folder.ts";
import { listSharedNames } from "../lib/files/shared-names.ts";
import { rehearsalProfile } from "../lib/model/open-model.ts";
import { protocols } from "../lib/model/protocols/protocols.ts";
import { createRehearsalModel } from "../lib/model/rehearsal/player.ts";
import { readScenes } from "../lib/model/rehearsal/read-scenes.ts";
import { bodyOf } from "../lib/model/request-body.ts";
import { dialectOf } from "../lib/model/request-dialect.ts";
import { openEvaluator } from "../lib/sandbox/open-evaluator.ts";
import { computed, submissionOf } from "./machine.ts";
import type { Row } from "./table.ts";

const SCENE = "tally";
const PREFIX_AIM = 0.8;
const FOLDERS_AIM = 0.95;
const MOST_IMPORTED = 20;
const CHARS_PER_TOKEN = 4;

export async function prompts(): Promise<Row[]> {
  const requests = await rehearsed();
  return [...turnRows(requests), ...prefixRows(requests), ...blockRows(requests), ...(await repositoryRows())];
}

function recording(model: Model): { model: Model; requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    model: {
      ask(request, signal) {
        requests.push(request);
        return model.ask(request, signal);
      },
    },
  };
}

/** With the evaluator of this computer, so that the prompts hold what it says. */
async function rehearsed(): Promise<ModelRequest[]> {
  const folder = projectFile("rehearsals");
  const scene = readScenes(folder).find(({ name }) => name === SCENE);
  const requirements = extractRequirements(scene?.task ?? "");
  if (!scene || "problem" in requirements) throw new Error(`The rehearsal ${SCENE} cannot be played.`);
  const home = mkdtempSync(join(tmpdir(), "l2mac-bench-"));
  try {
    const local = openEvaluator({ home, env: process.env, announce: () => {} });
    const evaluator = { ...local.evaluator, describeEnvironment: local.environment };
    const { model, requests } = recording(createRehearsalModel({ rehearsals: folder }));
    const { program: _, ...submission } = await submissionOf(1);
    const profile = rehearsalProfile();
    await computed({
      ...{ model, evaluator },
      submission: { ...submission, task: scene.task, name: SCENE, requirements, profile },
    });
    return requests;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const tokensOf = (text: string): number => Math.round(text.length / CHARS_PER_TOKEN);
const textOf = ({ tools, messages }: ModelRequest): string => JSON.stringify([tools, messages]);
const numberOf = ({ messages }: ModelRequest): number =>
  Number(/^Instruction (\d+) of/m.exec(messages[1]?.content ?? "")?.[1] ?? 0);

function turnRows(requests: ModelRequest[]): Row[] {
  const numbers = [...new Set(requests.map(numberOf))];
  return numbers.map((number) => {
    const sizes = requests
      .filter((request) => numberOf(request) === number)
      .map((request) => tokensOf(textOf(request)));
    const where = number === 0 ? "planning" : `instruction ${number}`;
    return {
      what: `prompt tokens of each turn, ${where} (four characters a token)`,
      figure: sizes.join(", "),
      aim: "",
    };
  });
}

/** A body in the order in which the provider reads it; cache points are no part of the text. */
type Order = [adapter: string, textOf: (request: ModelRequest) => string];

const profile = rehearsalProfile();
const ADAPTERS: Order[] = [
  [
    "Chat Completions",
    (request) => {
      const { tools, messages } = bodyOf("model", request, dialectOf(profile, {}));
      return JSON.stringify([tools, messages]);
    },
  ],
  ...Object.entries(protocols).map(
    ([name, protocol]): Order => [name, (request) => inOrder(protocol.bodyOf(request, profile))],
  ),
];

const inOrder = (body: Record<string, unknown>): string =>
  JSON.stringify([body.tools ?? body.toolConfig, body.system, body.messages ?? body.input], (key, value: unknown) =>
    key === "cache_control" ? undefined : value,
  );

function prefixRows(requests: ModelRequest[]): Row[] {
  return ADAPTERS.map(([adapter, text]) => {
    const texts = requests.map(text);
    let [shared, sent] = [0, 0];
    requests.forEach((request, at) => {
      const before = requests[at - 1];
      if (!before || numberOf(before) !== numberOf(request)) return;
      shared += commonPrefix(texts[at - 1] ?? "", texts[at] ?? "");
      sent += (texts[at] ?? "").length;
    });
    const share = shared / sent;
    return {
      what: `share of a request that repeats the one before it, ${adapter}`,
      ...{ figure: `${(share * 100).toFixed(1)} %`, aim: `≥ ${PREFIX_AIM * 100} %`, reached: share >= PREFIX_AIM },
    };
  });
}

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

/** Of the first turn of planning and of the last instruction's first turn. */
function blockRows(requests: ModelRequest[]): Row[] {
  const end = Math.max(...requests.map(numberOf));
  return [requests[0], requests.find((request) => numberOf(request) === end)].flatMap((request) => {
    if (!request) return [];
    const where = numberOf(request) === 0 ? "planning" : `instruction ${numberOf(request)}`;
    const [system, opening] = request.messages;
    const blocks: [string, string][] = [
      ["tools", JSON.stringify(request.tools)],
      ["system prompt", system?.content ?? ""],
      ...sectionsOf(opening?.content ?? ""),
      ...request.messages.slice(2).map(({ content }): [string, string] => ["after the opening", content]),
    ];
    return blocks.map(([name, text]) => ({
      what: `tokens of ${where}: ${name}`,
      figure: String(tokensOf(text)),
      aim: "",
    }));
  });
}

function sectionsOf(text: string): [string, string][] {
  const sections = text.split(/^(?=# )/m);
  return sections.map((section) => [/^# (.*)/.exec(section)?.[1] ?? "its first lines", section]);
}

/** The first request of a run that starts from this repository. */
async function repositoryRows(): Promise<Row[]> {
  const root = dirname(projectFile("package.json"));
  const shared = await listSharedNames(root, root);
  const found = await (await readFolder(root, shared?.names)).read();
  // Pictures are more than a run takes.
  const files = new Map([...found].filter(([path]) => !path.endsWith(".png")));
  const map = await planned(files);
  const folders = [...new Set([...files.keys()].flatMap(foldersOf))];
  const named = new Set(namedFolders(map));
  const shown = folders.filter((folder) => named.has(folder)).length;
  const used = await mostImported(root, [...files.keys()]);
  const whole = used.filter(({ path, exports }) => exports.every((name) => exportsShown(map, path).includes(name)));
  const share = shown / folders.length;
  return [
    {
      what: `tokens of the map of this repository without pictures, ${files.size} files`,
      figure: String(tokensOf(map)),
      aim: "",
    },
    {
      what: `… folders named, of ${folders.length}`,
      ...{ figure: `${(share * 100).toFixed(1)} %`, aim: `≥ ${FOLDERS_AIM * 100} %`, reached: share >= FOLDERS_AIM },
    },
    {
      what: `… of the ${MOST_IMPORTED} files that most import, by esbuild's count, those with each export named`,
      ...{ figure: `${whole.length} of ${used.length}`, aim: "all", reached: whole.length === used.length },
    },
  ];
}

async function planned(from: Map<string, Uint8Array>): Promise<string> {
  let opening = "";
  const model: Model = {
    async ask({ messages }) {
      opening = messages[1]?.content ?? "";
      throw new Error(ENOUGH);
    },
  };
  const submission = { ...(await submissionOf(1)), from };
  const { program: _, ...unplanned } = submission;
  await computed({ model, submission: unplanned }).catch((error: unknown) => {
    if (opening === "") throw error;
  });
  return sectionsOf(opening).find(([name]) => name === "Files that exist")?.[1] ?? "";
}
const ENOUGH = "The first request is enough.";

const foldersOf = (path: string): string[] => {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
};

/** From indented lines such as ` store/ 12`. */
function namedFolders(map: string): string[] {
  const open: string[] = [];
  return [...map.matchAll(/^( *)(\S+)\/ \d+/gm)].map(([, indent = "", name = ""]) => {
    open.splice(indent.length);
    open.push(name);
    return open.join("/");
  });
}

const exportsShown = (map: string, path: string): string[] => {
  const line = map.split("\n").find((each) => each.startsWith(`${path} (`) || each.startsWith(`${path}: `)) ?? "";
  return line.slice(line.indexOf(": ") + 2).split(", ");
};

/** What is imported as a value, and what is exported as one: a bundler knows no types. */
async function mostImported(root: string, paths: string[]): Promise<{ path: string; exports: string[] }[]> {
  const sources = paths.filter((path) => /^(?:lib|lambdas|bench)\/.*(?<!\.test|\.d)\.tsx?$/.test(path));
  const { metafile } = await build({
    ...{ absWorkingDir: root, entryPoints: sources, outdir: join(tmpdir(), "l2mac-bench-out"), outbase: root },
    ...{ bundle: true, splitting: true, format: "esm", platform: "node", packages: "external", jsx: "automatic" },
    ...{ write: false, metafile: true, logLevel: "silent", loader: { ".css": "empty", ".md": "text" } },
  });
  const by = new Map<string, number>();
  for (const { imports } of Object.values(metafile.inputs))
    for (const { path } of imports) by.set(path, (by.get(path) ?? 0) + 1);
  const exported = new Map(
    Object.values(metafile.outputs).flatMap(({ entryPoint, exports }) =>
      entryPoint ? [[relative(root, join(root, entryPoint)), exports] as const] : [],
    ),
  );
  return [...exported]
    .map(([path, exports]) => ({ path, exports, by: by.get(path) ?? 0 }))
    .sort((a, b) => b.by - a.by)
    .slice(0, MOST_IMPORTED);
}
