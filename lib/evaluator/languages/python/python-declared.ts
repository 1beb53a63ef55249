/** What the manifests of a Python project declare in any folder, as far as that is certain. */
import { posix } from "node:path";
import { readManifestText } from "../../packages/manifest-text.ts";
import type { Tree } from "../../tree.ts";
import { pythonWanted } from "./python-manifests.ts";
import { projectDeclares } from "./python-project.ts";
import { pythonRequirements, requirementLines, withoutComment } from "./python-requirements.ts";

/** As `check-python.py` takes it. */
export interface PythonDeclarations {
  /** Requirements of any kind and group. */
  all: string[];
  /** Those that users of the project must have. */
  wanted: string[];
  /** The project's own Python, where it has one. */
  python: string | null;
}

/** Null where something may be declared that is not seen: nothing is said of such a project. */
export async function pythonDeclared(tree: Tree, python?: string): Promise<PythonDeclarations | null> {
  const lists = tree.files.filter((path) => LIST.test(path));
  const scripts = tree.files.filter((path) => SCRIPT.test(path));
  if (lists.length + scripts.length > FILES || tree.files.some((path) => UNREAD.test(path))) return null;
  const wanted = await pythonWanted(tree.folder);
  if (wanted.refused.length > 0) return null;
  const all = [...wanted.requirements.values()];
  for (const path of lists) {
    const more = await declaredBy(path, tree);
    if (!more) return null;
    all.push(...more);
  }
  for (const path of scripts) {
    const { text, refused } = await readManifestText(tree.folder, path);
    if (refused.length > 0 || (text !== undefined && installsByName(text))) return null;
  }
  return { all, wanted: [...wanted.requirements.values()], python: python ?? null };
}

/** Who has more of them means more than one project. */
const FILES = 50;
const LIST = /(?:^|\/)(?:pyproject\.toml|[\w.-]*requirements[\w.-]*\.(?:txt|in)|requirements\/[^/]+\.(?:txt|in))$/;
/** What may declare packages, in a manner that only its own program reads. */
const UNREAD =
  /(?:^|\/)(?:setup\.(?:py|cfg)|Pipfile|(?:conda|environment)[\w.-]*\.ya?ml|meta\.ya?ml|pixi\.toml|tox\.ini|noxfile\.py|[\w.-]+\.nix|BUILD(?:\.bazel)?)$/;
/** What may install packages by name. */
const SCRIPT =
  /(?:^|\/)(?:(?:Docker|Container)file[\w.-]*|[\w.-]+\.dockerfile|Makefile|[Jj]ustfile|[\w.-]+\.sh|\.github\/workflows\/[^/]+)$/;

async function declaredBy(path: string, { folder, files }: Tree): Promise<string[] | undefined> {
  const { text, refused } = await readManifestText(folder, path);
  if (text === undefined || refused.length > 0) return undefined;
  const lines = path.endsWith(".toml") ? projectDeclares(text) : requirementLines(text);
  const own = lines?.filter((line) => !isFurtherList(withoutComment(line), path, files));
  const found = own && pythonRequirements(own, path);
  return found && found.refused.length === 0 ? [...found.requirements.values()] : undefined;
}

/** Of a list that is read as well. */
function isFurtherList(line: string, from: string, files: string[]): boolean {
  const named = /^(?:-r|--requirement)[ \t=]*([\w./-]+)$/.exec(line)?.[1];
  if (named === undefined) return false;
  const path = posix.join(posix.dirname(from), named);
  return files.includes(path) && LIST.test(path);
}

const INSTALLER = /^(?:pip[\d.]*|conda|mamba|uv|poetry|pdm|apt|apt-get|apk|dnf)$/;
const TAKES_FILE = new Set(["-r", "-c", "-e", "--requirement", "--constraint", "--editable"]);
/** They install others. */
const INSTALLERS_OWN = /^["']?(?:pip|setuptools|wheel|build|uv|poetry)\b/;

function installsByName(text: string): boolean {
  const commands = text.replaceAll(/\\\r?\n/g, " ").split(/\r?\n|&&|\|\||;/);
  return commands.some((command) => {
    const words = command.trim().split(/\s+/);
    const at = words.findIndex((word) => INSTALLER.test(word));
    const verb = words.findIndex((word, index) => index > at && /^(?:install|add)$/.test(word));
    if (at === -1 || verb === -1) return false;
    const isSystem = /^(?:apt|apk|dnf)/.test(words[at] ?? "");
    return words
      .slice(verb + 1)
      .filter((word, index, rest) => !TAKES_FILE.has(rest[index - 1] ?? "") && /^["']?[A-Za-z]/.test(word))
      .some((word) => (isSystem ? /^(?:python|py)3?-/.test(word) : !INSTALLERS_OWN.test(word)));
  });
}
