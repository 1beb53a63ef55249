/** Turns a command line into what the API takes: everything that can be found wrong here is found before it is sent. */
import type { SubmissionBody } from "../../api/submission-body.ts";
import type { Api } from "../../client/api.ts";
import { KiB } from "../../core/limits.ts";
import { toBody } from "../../core/run/option-forms.ts";
import { decodeText } from "../../core/text/file-text.ts";
import { loadPack } from "../../files/prompt-folder.ts";
import { packTree } from "../../pack/pack.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { type Settings, settingsInFlags } from "../settings/settings.ts";
import { choosePlace } from "./choose-place.ts";
import { readAsked } from "./submission.ts";

export interface RemotePrepared {
  body: SubmissionBody;
  /** Where its files will go on this computer. */
  folder: string;
  notices: string[];
}

interface Preparing {
  given: Arguments;
  shell: Shell;
  settings: Settings;
  api: Pick<Api, "runs" | "upload">;
}

/** Of the latest runs, whose names a new one does not take. */
const NAMES_LOOKED_AT = 100;

export async function prepareRemote({ given, shell, settings, api }: Preparing): Promise<RemotePrepared> {
  const { flags } = given;
  const { read, scene, draft, from, tests, notices } = await readAsked(given, shell, settings);
  const { name, out } = await choosePlace({
    title: scene?.name ?? read.task,
    name: flags.get("--name"),
    out: flags.get("--out"),
    cwd: shell.cwd,
    taken: new Set((await api.runs({ atMost: NAMES_LOOKED_AT })).map((run) => run.name)),
  });
  const body: SubmissionBody = {
    task: read.task,
    name,
    ...toBody({ ...settings, ...modelIn(settings, { flags, cwd: shell.cwd }) }),
    ...(scene ? { model: "rehearsal" } : {}),
    ...(draft ? { program: draft } : {}),
    ...(settings.prompts === undefined ? {} : { prompts: await loadPack(settings.prompts) }),
    ...(await sent({ files: from, tests }, api)),
  };
  return { body, folder: out, notices: [...notices, ...(scene ? [scene.notice] : [])] };
}

/** What is said of a model server of one's own does not hold for the stack's, unless it is said for this run. */
function modelIn(settings: Settings, command: Pick<Preparing["shell"], "cwd"> & Pick<Arguments, "flags">) {
  const known = settings.baseUrl === undefined ? settings : settingsInFlags(command);
  const { model, contextWindow, price, unpriced } = known;
  return { model, contextWindow, price, unpriced };
}

/** As much as goes along with a task without another request, files and tests each. */
const INLINE_BYTES = 256 * KiB;

type Trees = Record<"files" | "tests", Map<string, Uint8Array> | undefined>;

/** In the request, or uploaded before it. */
async function sent(trees: Trees, api: Pick<Api, "upload">): Promise<Partial<SubmissionBody>> {
  const body: Partial<SubmissionBody> = {};
  for (const name of ["files", "tests"] as const) {
    const tree = trees[name];
    const inline = tree && inlined(tree);
    if (inline) body[name] = inline;
    else if (tree) body.uploads = { ...body.uploads, [name]: await api.upload(packTree(undefined, contentsOf(tree))) };
  }
  return body;
}

/** Undefined: it is too much, or not all of it is text. */
function inlined(tree: Map<string, Uint8Array>): { path: string; content: string }[] | undefined {
  const bytes = [...tree.values()].reduce((sum, content) => sum + content.length, 0);
  if (bytes > INLINE_BYTES) return undefined;
  const files = [...tree].flatMap(([path, bytes]) => {
    const content = decodeText(bytes);
    return content === undefined ? [] : [{ path, content }];
  });
  return files.length === tree.size ? files : undefined;
}

const contentsOf = (tree: Map<string, Uint8Array>) => [...tree].map(([path, content]) => ({ path, content }));
