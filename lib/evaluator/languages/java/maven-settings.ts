/** With which address and credentials this computer reaches Maven's repository: a mirror of the user's settings. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Surroundings } from "../../language.ts";
import { elementIn, withoutComments } from "./poms.ts";

export function repositorySettings(env: Surroundings["env"]): Record<string, string> {
  const text = withoutComments(settingsText(join(env.HOME ?? "/", ".m2", "settings.xml")));
  const mirrors = blocksIn(text, "mirror").filter((block) => isForAll(elementIn(block, "mirrorOf") ?? ""));
  const [mirror] = mirrors;
  const address = mirror && elementIn(mirror, "url");
  if (!mirror || !address) return {};
  const id = elementIn(mirror, "id");
  const server = blocksIn(text, "server").find((block) => elementIn(block, "id") === id) ?? "";
  const value = (name: string): string => filled(elementIn(server, name) ?? "", env);
  const [user, password] = [value("username"), value("password")];
  // A password in braces is encrypted with one that only Maven itself reads.
  const known = user !== "" && password !== "" && !password.startsWith("{");
  return {
    MAVEN_REPOSITORY: filled(address, env),
    ...(known ? { MAVEN_REPOSITORY_USER: user, MAVEN_REPOSITORY_PASSWORD: password } : {}),
  };
}

const isForAll = (mirrorOf: string): boolean => {
  const names = mirrorOf.split(",").map((name) => name.trim());
  return names.some((name) => ["*", "external:*", "central"].includes(name)) && !names.includes("!central");
};

const blocksIn = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, "g"))].map(([, block = ""]) => block);

const filled = (text: string, env: Surroundings["env"]): string =>
  text.replaceAll(/\$\{env\.(\w+)\}/g, (_, name: string) => env[name] ?? "").replaceAll("&amp;", "&");

function settingsText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
