/** Finds a JDK and Maven on this computer, by where their programs lie: starting them to ask would take a second. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Surroundings, Tool } from "../../language.ts";
import { findProgram, isProgram, resolved } from "../../process/find-program.ts";

export function findJdk({ folders, env }: Surroundings): Tool | undefined {
  const chosen = env.JAVA_HOME ? [join(env.JAVA_HOME, "bin", "javac")].filter(isProgram) : [];
  const home = homeOf(chosen[0] ?? findProgram("javac", folders));
  const java = home && findProgram("java", [join(home, "bin")]);
  if (!home || !java) return undefined;
  const version = /^JAVA_VERSION="(.+)"$/m.exec(textOf(join(home, "release")))?.[1];
  return {
    program: join(home, "bin", "javac"),
    ...(version ? { version } : {}),
    root: home,
    beside: { java },
    readable: [home, ...settingsOf(home)],
  };
}

/** Systems keep the settings of a JDK with their own, and its certificates with everyone's. */
function settingsOf(home: string): string[] {
  const settings = ["conf/net.properties", "jre/lib/net.properties"].flatMap((path) => resolved(join(home, path)));
  const certificates = ["lib", "jre/lib"].flatMap((path) => resolved(join(home, path, "security/cacerts")));
  return [...settings.map((path) => dirname(path)), ...certificates].filter((path) => !path.startsWith(`${home}/`));
}

/** Its own settings may hold credentials: of its folder, what it starts with can be read. */
export function findMaven({ folders }: Surroundings): Tool | undefined {
  const program = findProgram("mvn", folders);
  const home = homeOf(program);
  if (!program || !home || !existsSync(join(home, "boot"))) return undefined;
  const core = namesIn(join(home, "lib")).flatMap((name) => /^maven-core-(.+)\.jar$/.exec(name)?.[1] ?? []);
  const parts = ["bin", "boot", "lib", "conf/logging"].map((part) => join(home, part));
  return {
    program,
    ...(core[0] ? { version: core[0] } : {}),
    root: home,
    readable: [...parts, join(home, "bin/m2.conf")].flatMap(resolved),
  };
}

const homeOf = (program: string | undefined): string | undefined =>
  (program ? resolved(program) : []).map((path) => dirname(dirname(path)))[0];

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
