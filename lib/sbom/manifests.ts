/** Which files declare packages, and how each is read. Pure. */
import { readCargoLock, readCargoToml, readGoMod, readPom } from "./compiled.ts";
import { checkedPackages, type DeclaredPackage, type Ecosystem, type ManifestReader } from "./declared-package.ts";
import { readPackageJson, readPackageLock } from "./npm.ts";
import { readPipfileLock, readPyproject, readRequirements, readTomlLock } from "./python.ts";
import { readComposerJson, readComposerLock, readGemfile, readGemfileLock } from "./scripted.ts";

interface Manifest {
  ecosystem: Ecosystem;
  read: ManifestReader;
  /** It fixes the versions of what manifests in its folder, and below it, leave open. */
  isLock?: true;
}

const MANIFESTS: Record<string, Manifest> = {
  "package.json": { ecosystem: "npm", read: readPackageJson },
  "package-lock.json": { ecosystem: "npm", read: readPackageLock, isLock: true },
  "npm-shrinkwrap.json": { ecosystem: "npm", read: readPackageLock, isLock: true },
  "pyproject.toml": { ecosystem: "pypi", read: readPyproject },
  "poetry.lock": { ecosystem: "pypi", read: readTomlLock, isLock: true },
  "uv.lock": { ecosystem: "pypi", read: readTomlLock, isLock: true },
  "Pipfile.lock": { ecosystem: "pypi", read: readPipfileLock, isLock: true },
  "go.mod": { ecosystem: "golang", read: readGoMod },
  "Cargo.toml": { ecosystem: "cargo", read: readCargoToml },
  "Cargo.lock": { ecosystem: "cargo", read: readCargoLock, isLock: true },
  "composer.json": { ecosystem: "composer", read: readComposerJson },
  "composer.lock": { ecosystem: "composer", read: readComposerLock, isLock: true },
  Gemfile: { ecosystem: "gem", read: readGemfile },
  "Gemfile.lock": { ecosystem: "gem", read: readGemfileLock, isLock: true },
  "pom.xml": { ecosystem: "maven", read: readPom },
};
const REQUIREMENTS: Manifest = { ecosystem: "pypi", read: readRequirements };

/** What is installed there is no part of the project's own declarations. */
const FOREIGN = /(?:^|\/)(?:node_modules|vendor|\.venv|venv|site-packages)\//;

function manifestAt(path: string): Manifest | undefined {
  if (FOREIGN.test(path)) return undefined;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (Object.hasOwn(MANIFESTS, name)) return MANIFESTS[name];
  return /^requirements[\w.-]*\.txt$/.test(name) || /(?:^|\/)requirements\/[^/]+\.txt$/.test(path)
    ? REQUIREMENTS
    : undefined;
}

export const isManifest = (path: string): boolean => manifestAt(path) !== undefined;

export interface PlacedPackage extends DeclaredPackage {
  /** The file that declares it. */
  path: string;
}

export interface DeclaredPackages {
  packages: PlacedPackage[];
  /** Files that could not be read: what they declare is not known. */
  unreadable: string[];
}

export function packagesIn(files: { path: string; text: string }[]): DeclaredPackages {
  const packages: (PlacedPackage & { isLocked: boolean })[] = [];
  const unreadable: string[] = [];
  for (const { path, text } of files) {
    const manifest = manifestAt(path);
    if (!manifest) continue;
    try {
      const found = checkedPackages(manifest.read(text.replace(/^\uFEFF/, "")));
      packages.push(...found.map((each) => ({ ...each, path, isLocked: manifest.isLock === true })));
    } catch {
      unreadable.push(path);
    }
  }
  const locks = packages.filter(({ isLocked }) => isLocked);
  const locked = new Set(locks.map(({ ecosystem, name, path }) => keyOf(ecosystem, name, folderOf(path))));
  const isFixed = ({ ecosystem, name, path }: PlacedPackage): boolean =>
    foldersAbove(folderOf(path)).some((folder) => locked.has(keyOf(ecosystem, name, folder)));
  const shown = packages.filter((each) => each.isLocked || each.version !== undefined || !isFixed(each));
  return { packages: shown.map(({ isLocked: _, ...each }) => each), unreadable };
}

const keyOf = (ecosystem: Ecosystem, name: string, folder: string): string =>
  `${ecosystem}\n${name.toLowerCase().replaceAll(/[_.]/g, "-")}\n${folder}`;

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

function foldersAbove(folder: string): string[] {
  const parts = folder === "" ? [] : folder.split("/");
  return Array.from({ length: parts.length + 1 }, (_, count) => parts.slice(0, count).join("/"));
}
