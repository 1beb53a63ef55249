/** Fetches what Maven projects ask for. A program of ours reads their models: no plugin, extension or project code runs. */
import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import type { Installer, InstallerResult, InstallOutcome, InstallPlace, Tool } from "../../language.ts";
import { stoppedBy } from "../../packages/install-available.ts";
import { installerError, withoutCredentials } from "../../packages/installer-error.ts";
import { readManifestText } from "../../packages/manifest-text.ts";
import { noRequests } from "../../packages/manifests.ts";
import { listTree } from "../../tree.ts";
import { mavenRegistries } from "./maven-registries.ts";
import { repositorySettings } from "./maven-settings.ts";
import { coordinatesIn, marksIn, optionsIn, pomFolders, readablePom, rootsOf } from "./poms.ts";

export const mavenInstaller: Installer = {
  name: "maven",
  registries: mavenRegistries,
  settings: ({ mvn }, env) => (mvn ? repositorySettings(env) : {}),
  async wanted(projectFolder, { tools }, scripts) {
    const [jdk, mvn] = [tools?.javac, tools?.mvn];
    if (!jdk || !mvn) return noRequests;
    const tree = await listTree(await realpath(projectFolder));
    const folders = pomFolders(tree).slice(0, POMS);
    const files: Record<string, string> = {};
    const [requests, refused] = [new Set<string>(), [] as string[]];
    const read = async (path: string): Promise<string> => {
      const found = await readManifestText(tree.folder, path);
      refused.push(...found.refused);
      const text = found.text ?? "";
      for (const each of coordinatesIn(text)) requests.add(each);
      return text;
    };
    for (const folder of folders) {
      const path = posix.join(folder, "pom.xml");
      files[path] = readablePom(await read(path));
    }
    const roots: Root[] = [];
    for (const folder of rootsOf(folders)) {
      const options = optionsIn(await read(posix.join(folder, ".mvn/maven.config")));
      const extensions = coordinatesIn(await read(posix.join(folder, ".mvn/extensions.xml")));
      roots.push({ folder, args: [...options, ...extensions.map((each) => `-E${each}`)] });
    }
    if (roots.length > 0) requests.add("what Maven builds and tests with");
    const marks = roots.length > 0 ? marksIn(tree) : [];
    const program = roots.length > 0 ? await readFile(join(scripts, "FetchMaven.java"), "utf8") : "";
    return {
      requests: [...requests],
      depends: [jdk.version, mvn.root, mvn.version, program, files, roots, marks],
      refused,
      install: (place) => fetchAll({ program, files, roots, marks }, { jdk, mvn, place }),
    };
  },
};

const POMS = 300;

interface Root {
  folder: string;
  args: string[];
}
interface Stub {
  /** The text of the program that fetches. */
  program: string;
  files: Record<string, string>;
  roots: Root[];
  marks: string[];
}
interface MavenFetch {
  jdk: Tool;
  mvn: Tool;
  place: InstallPlace;
}

async function fetchAll({ program: text, files, roots, marks }: Stub, fetch: MavenFetch): Promise<InstallOutcome> {
  const work = join(fetch.place.folder, "work");
  const stub = join(work, "stub");
  const program = join(work, "FetchMaven.java");
  await writeFile(program, text);
  for (const mark of marks) await lay(join(stub, mark), "");
  for (const [path, pom] of Object.entries(files)) await lay(join(stub, path), pom);
  const repository = join(fetch.place.folder, "repository");
  await mkdir(repository, { recursive: true });
  const missing: string[] = [];
  let settled = true;
  for (const { folder, args } of roots) {
    const pom = join(stub, folder, "pom.xml");
    const found = await fetchOne([program, fetch.place.downloads, repository, ...args, pom], fetch);
    missing.push(...found.missing);
    settled &&= found.settled;
  }
  const options = `-Dmaven.repo.local=${repository} -XX:TieredStopAtLevel=1 -XX:+UseSerialGC`;
  return { missing, settled, env: { MAVEN_OPTS: options } };
}

async function lay(path: string, text: string): Promise<void> {
  if (path.endsWith("/")) {
    await mkdir(path, { recursive: true });
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const OFFLINE =
  /UnknownHost|Unknown host|Temporary failure in name|Connect(?:ion)? (?:to|refused|reset|timed out)|timed out|unreachable|status code:? (?:429|5\d\d)|No route to host/i;

async function fetchOne(
  args: string[],
  { jdk, mvn, place }: MavenFetch,
): Promise<Pick<InstallOutcome, "missing" | "settled">> {
  const libraries = ["lib", "boot"].map((part) => join(mvn.root ?? "", part, "*")).join(":");
  const flags = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", `-Duser.home=${join(place.folder, "work")}`];
  const argv = [jdk.beside?.java ?? "java", ...flags, "-cp", libraries, ...args];
  const result = await place.run(argv, place.folder);
  const stopped = stoppedBy(result);
  const why = stopped && ("tooLarge" in stopped ? stopped.tooLarge : "brokeOff" in stopped && stopped.brokeOff);
  if (why) return { missing: [`the packages of pom.xml: ${why}`], settled: Boolean(result.tooLarge) };
  const missing = [...result.stdout.matchAll(/^missing\t(.*)$/gm)].map(([, line = ""]) =>
    withoutCredentials(line.replaceAll(/\S+/g, withoutStub)),
  );
  const hasEnded = /^end$/m.test(result.stdout);
  if (!hasEnded) missing.push(`the packages of pom.xml: ${reasonIn(result)}`);
  return { missing: missing.slice(0, MISSING), settled: hasEnded && !missing.some((line) => OFFLINE.test(line)) };
}

/** The path of a file of the project, without the folder of the copy that holds its manifests. */
function withoutStub(word: string): string {
  const at = word.lastIndexOf(STUB);
  return at < 0 ? word : word.slice(0, word.indexOf("/")) + word.slice(at + STUB.length);
}
const STUB = "/work/stub/";

/** Java says first what went wrong, and then where. */
function reasonIn(result: InstallerResult): string {
  const lines = result.stderr.split("\n").filter((line) => /Exception|Error|error:/.test(line));
  return installerError({ ...result, stderr: lines.join("\n") }, "first");
}

/** Reported of one project. */
const MISSING = 50;
