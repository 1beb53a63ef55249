/** Fetches the modules that a Go project imports, from the module proxy alone: none of their code runs. */
import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type {
  Installer,
  InstallerResult,
  InstallOutcome,
  InstallPlace,
  PackageRequest,
  Surroundings,
  Tool,
  Tools,
} from "../../language.ts";
import { stoppedBy } from "../../packages/install-available.ts";
import { withoutCredentials } from "../../packages/installer-error.ts";
import { noRequests } from "../../packages/manifests.ts";
import { answerOf } from "../../process/find-program.ts";
import { listTree } from "../../tree.ts";
import { fetchablePart, isFetchable, writtenGoMod } from "./go-mod.ts";
import { goRegistries } from "./go-registries.ts";
import { type GoCode, type GoModule, readCode } from "./modules.ts";

export const goInstaller: Installer = {
  name: "go",
  settings: proxySettings,
  registries: goRegistries,
  async wanted(projectFolder, { tools }) {
    const tool = tools?.go;
    if (!tool) return noRequests;
    const tree = await listTree(await realpath(projectFolder));
    if (!tree.files.some((path) => path.endsWith(".go"))) return noRequests;
    const code = await readCode(tree);
    return requestFor(
      code.modules.map((module) => stubOf(module, code)),
      tool,
    );
  },
};

const ASKED = ["GOPROXY", "GOSUMDB", "GONOSUMDB", "GOINSECURE"];

/** "direct" would ask the hosts that a module's name says. */
function proxySettings({ go }: Tools, env: Surroundings["env"]): Record<string, string> {
  const values = go
    ? (answerOf(go.program, ["env", ...ASKED], { ...env, GOTOOLCHAIN: "local" }) ?? "").split("\n")
    : [];
  const found = Object.fromEntries(ASKED.flatMap((name, at) => (values[at] ? [[name, values[at]] as const] : [])));
  const proxies = (found.GOPROXY ?? "").split(/[,|]/).filter((proxy) => proxy !== "" && proxy !== "direct");
  return { ...found, GOPROXY: proxies.join(",") || "off" };
}

/** A module that imports what one of the project's does, and has no other code. */
interface Stub {
  mod: string;
  imports: string[];
  requests: string[];
  /** The project has no go.mod: the versions are the latest. */
  made: boolean;
}

function stubOf(module: GoModule, { modules, imports }: GoCode): Stub {
  const own = new Set(modules.map(({ name }) => name));
  const part = fetchablePart(module.mod, own);
  const isOwn = (path: string): boolean => [...own].some((name) => path === name || path.startsWith(`${name}/`));
  const isRequired = (path: string): boolean =>
    part.required.some((one) => path === one.path || path.startsWith(`${one.path}/`));
  const wanted = [...new Set(module.files.flatMap((path) => imports.get(path) ?? []))]
    .filter((path) => isFetchable(path) && !isOwn(path) && (module.made !== undefined || isRequired(path)))
    .sort();
  return {
    mod: writtenGoMod(part),
    imports: module.vendored ? [] : wanted,
    requests: module.made ? wanted : part.required.map(({ path, version }) => `${path}@${version}`),
    made: module.made !== undefined,
  };
}

function requestFor(stubs: Stub[], tool: Tool): PackageRequest {
  const wanted = stubs.filter(({ imports }) => imports.length > 0);
  if (wanted.length === 0) return noRequests;
  return {
    requests: [...new Set(wanted.flatMap(({ requests }) => requests))],
    depends: [tool.version, wanted],
    refused: [],
    install: (place) => fetchAll(wanted, tool, place),
  };
}

async function fetchAll(stubs: Stub[], tool: Tool, place: InstallPlace): Promise<InstallOutcome> {
  const modules = join(place.folder, "modules");
  const made = join(place.folder, "made");
  await mkdir(modules, { recursive: true });
  const missing: string[] = [];
  let settled = true;
  for (const [at, stub] of stubs.entries()) {
    const folder = stub.made ? made : join(place.folder, `stub${at}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "go.mod"), stub.mod);
    const lines = stub.imports.map((path) => `import _ ${JSON.stringify(path)}\n`);
    await writeFile(join(folder, "stub.go"), `package stub\n\n${lines.join("")}`);
    const found = await fetchOne(stub, { tool, folder, modules, place });
    missing.push(...found.missing);
    settled &&= found.settled;
  }
  const env = { GOMODCACHE: modules, GOPROXY: "off", GOSUMDB: "off", GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local" };
  return { missing, settled, env };
}

interface FetchPlace {
  tool: Tool;
  folder: string;
  modules: string;
  place: InstallPlace;
}

/** Nothing is taken from where a module says it is developed: its host is not asked, and no version control runs. */
const SETTINGS = {
  GOENV: "off",
  GOTOOLCHAIN: "local",
  GOVCS: "*:off",
  GO111MODULE: "on",
  GOWORK: "off",
  CGO_ENABLED: "0",
};
const UNPROVEN = /sum\.golang\.org|checksum database|sumdb/i;
const isUnverified = (line: string): boolean => /: verifying (?:module|go\.mod): /.test(line);
const OFFLINE =
  /dial tcp|no such host|connection refused|i\/o timeout|network is unreachable|TLS handshake|\bEOF\b|reset by peer/;

async function fetchOne(stub: Stub, at: FetchPlace): Promise<{ missing: string[]; settled: boolean }> {
  const proven = await list(at, {});
  const isMismatch = `${proven.stderr}${proven.stdout}`.includes("SECURITY ERROR");
  const isUnproven = !isMismatch && (UNPROVEN.test(proven.stderr) || missingIn(proven).some(isUnverified));
  const result = isUnproven ? await list(at, { GOSUMDB: "off" }) : proven;
  const stopped = stoppedBy(result);
  const names = stub.requests;
  if (stopped && "tooLarge" in stopped)
    return { missing: names.map((name) => `${name}: ${stopped.tooLarge}`), settled: true };
  if (stopped && "brokeOff" in stopped)
    return { missing: names.map((name) => `${name}: ${stopped.brokeOff}`), settled: false };
  const missing = missingIn(result);
  const settled = !OFFLINE.test(result.stderr + result.stdout);
  if (result.exitCode === 0 || missing.length > 0) return { missing, settled };
  return { missing: [`the modules of go.mod: ${firstLine(result.stderr)}`], settled };
}

const list = async (
  { tool, folder, modules, place }: FetchPlace,
  env: Record<string, string>,
): Promise<InstallerResult> =>
  place.run([tool.program, "list", "-e", "-deps", "-json=ImportPath,Error,DepsErrors", "."], folder, {
    ...SETTINGS,
    GOFLAGS: "-mod=mod -modcacherw",
    GOMODCACHE: modules,
    GOCACHE: join(place.folder, "work", "go-build"),
    GOPATH: join(place.folder, "work", "go"),
    ...env,
  });

const Package = z.object({ ImportPath: z.string(), Error: z.object({ Err: z.string() }).optional() });

/** One object after another, each ending at the start of a line; without a graph of modules, Go tells the reason alone. */
function missingIn({ stdout, stderr }: InstallerResult): string[] {
  const listed = stdout.split(/^(?=\{)/m).flatMap((json) => {
    const found = parsed(json);
    return found?.Error && isFetchable(found.ImportPath) ? [`${found.ImportPath}: ${firstLine(found.Error.Err)}`] : [];
  });
  const refused = [...stderr.matchAll(/^go: ([^\s@:]+)@(v[^\s:]+): (.*)$/gm)];
  return [
    ...new Set([...listed, ...refused.map(([, path, version, why = ""]) => `${path}@${version}: ${firstLine(why)}`)]),
  ];
}

function parsed(json: string): z.infer<typeof Package> | undefined {
  try {
    return Package.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

const firstLine = (text: string): string => withoutCredentials(text.trim().split("\n")[0] ?? "").slice(0, 200);
