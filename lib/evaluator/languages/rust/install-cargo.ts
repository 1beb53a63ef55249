/** Fetches the packages that a Rust project asks for. Cargo unpacks them; none of their code runs. */
import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import type { Installer, InstallerResult, InstallOutcome, InstallPlace } from "../../language.ts";
import { stoppedBy } from "../../packages/install-available.ts";
import { installerError } from "../../packages/installer-error.ts";
import { readManifestText } from "../../packages/manifest-text.ts";
import { noRequests } from "../../packages/manifests.ts";
import { listTree } from "../../tree.ts";
import { fetchablePart, parseManifest, writtenManifest } from "./cargo-manifest.ts";
import { cargoFolders, rootsOf } from "./packages.ts";

export const cargoInstaller: Installer = {
  name: "cargo",
  settings: (_, env) =>
    Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value && SETTING.test(name) ? [[name, value] as const] : [])),
    ),
  async wanted(projectFolder, { tools }) {
    const tool = tools?.cargo;
    if (!tool) return noRequests;
    const tree = await listTree(await realpath(projectFolder));
    const folders = cargoFolders(tree);
    const files: Record<string, string> = {};
    const [requests, refused] = [new Set<string>(), [] as string[]];
    for (const folder of folders.slice(0, PACKAGES)) {
      const path = posix.join(folder, "Cargo.toml");
      const read = await readManifestText(tree.folder, path);
      const table = parseManifest(read.text ?? "");
      if (!table) continue;
      const part = fetchablePart({ folder, table }, (other) => folders.includes(other === "." ? "" : other));
      for (const request of part.requests) requests.add(request);
      refused.push(...read.refused, ...part.refused);
      files[path] = writtenManifest(part);
      if (part.table.package) files[posix.join(folder, "src/lib.rs")] = "";
    }
    const roots = rootsOf(folders);
    for (const root of roots) {
      const { text } = await readManifestText(tree.folder, posix.join(root, "Cargo.lock"), LOCK_BYTES);
      if (
        text !== undefined &&
        !/^source = "(?!registry\+https:\/\/github\.com\/rust-lang\/crates\.io-index")/m.test(text)
      )
        files[posix.join(root, "Cargo.lock")] = text;
    }
    return {
      requests: [...requests],
      depends: [tool.version, files],
      refused,
      // Of a manifest that lost a part, the lock file says more than fits.
      install: (place) => fetchAll(files, { roots, program: tool.program, place, isWhole: refused.length === 0 }),
    };
  },
};

/** How cargo reaches its registry, and nothing of what it builds or where. */
const SETTING = /^CARGO_(?:HTTP_(?:PROXY|CAINFO|TIMEOUT|MULTIPLEXING|CHECK_REVOKE|SSL_VERSION)|NET_RETRY)$/;
const PACKAGES = 200;
const LOCK_BYTES = 1024 * 1024;

interface CargoFetch {
  roots: string[];
  program: string;
  place: InstallPlace;
  isWhole: boolean;
}

async function fetchAll(files: Record<string, string>, fetch: CargoFetch): Promise<InstallOutcome> {
  const { roots, program, place } = fetch;
  const home = join(place.folder, "cargo");
  const stubs = join(place.folder, "stubs");
  for (const [path, text] of Object.entries(files)) {
    await mkdir(posix.dirname(join(stubs, path)), { recursive: true });
    await writeFile(join(stubs, path), text);
  }
  const missing: string[] = [];
  let settled = true;
  for (const root of roots) {
    const lock = posix.join(root, "Cargo.lock");
    const fetchWith = (...options: string[]): Promise<InstallerResult> =>
      place.run([program, "fetch", "--color=never", ...options], join(stubs, root), { CARGO_HOME: home });
    const locked = fetch.isWhole && Object.hasOwn(files, lock) ? await fetchWith("--locked") : undefined;
    const isUnfit = locked && UNFIT.test(locked.stderr);
    if (isUnfit) missing.push(`${lock}: ${UNFIT_WORDS}`);
    const result = locked && !isUnfit ? locked : await fetchWith();
    if (result.status === "exited" && result.exitCode === 0 && !result.tooLarge) continue;
    const stopped = stoppedBy(result);
    const why = stopped && ("tooLarge" in stopped ? stopped.tooLarge : "brokeOff" in stopped && stopped.brokeOff);
    missing.push(
      `the packages of ${posix.join(root, "Cargo.toml")}: ${why || reasonIn(result.stderr) || installerError(result)}`,
    );
    settled &&= Boolean(result.tooLarge) || !OFFLINE.test(result.stderr);
  }
  return { missing, settled, env: { CARGO_HOME: home, CARGO_NET_OFFLINE: "true" } };
}

const UNFIT = /lock file [^\n]{0,300}--locked was passed/;
const UNFIT_WORDS =
  'it does not fit Cargo.toml, and other versions are taken: write it again with "cargo update --workspace" and keep it, or remove it';
const OFFLINE =
  /Could(?:n't| not) resolve host|failed to connect|Timeout was reached|spurious network error|SSL connect/i;

/** The first line says what cargo was doing, those below why it could not. */
const reasonIn = (stderr: string): string =>
  [
    ...stderr.matchAll(
      /^(?:error: |[ \t]+(?![ \t]))(no matching package.*|failed to select.*|.*not found.*|candidate versions.*|download of.*|failed to (?:download|get|query).*)$/gim,
    ),
  ]
    .map(([, line = ""]) => line.trim())
    .slice(0, 2)
    .join(": ");
