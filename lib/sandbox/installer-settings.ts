/**
 * The settings with which pip and npm reach their registries from this computer. They are read beforehand, so that the
 * sealed installers see no configuration file. Registry credentials are passed on, because the registry requires them;
 * nothing else in those files is.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Language, Tools } from "../evaluator/language.ts";
import { LANGUAGES } from "../evaluator/languages.ts";

export interface InstallerSettings {
  env: Record<string, string>;
  /** Files and folders that the settings name. */
  readable: string[];
}

export interface SettingsParts {
  env: Readonly<Record<string, string | undefined>>;
  python?: string | undefined;
  node: string;
  /** npm's own script. */
  npm?: string | undefined;
  tools?: Tools;
  languages?: Pick<Language, "installer">[];
}

const GENERAL =
  /^(https?_proxy|no_proxy|all_proxy|ssl_cert_(file|dir)|requests_ca_bundle|curl_ca_bundle|node_extra_ca_certs)$/i;
/** What says where packages come from. None that says where they go, what is built, or what is run. */
const PIP = /^(index-url|extra-index-url|find-links|no-index|trusted-host|proxy|cert|client-cert|prefer-binary|pre)$/;
const NPM =
  /^(registry|@[\w.-]+:registry|proxy|https-proxy|noproxy|ca|cafile|cert|key|strict-ssl|\/\/[^\s:]\S*:(_authToken|_auth|username|_password|certfile|keyfile))$/;
const ASK_MS = 20_000;

export async function readInstallerSettings(parts: SettingsParts): Promise<InstallerSettings> {
  const general = Object.entries(parts.env).flatMap(([name, value]) =>
    value && GENERAL.test(name) ? [[name, value] as const] : [],
  );
  const { tools = {}, languages = LANGUAGES } = parts;
  const own = languages.flatMap(({ installer }) => Object.entries(installer?.settings?.(tools, parts.env) ?? {}));
  const env = {
    ...Object.fromEntries(general),
    ...(await pipSettings(parts)),
    ...npmSettings(parts),
    ...Object.fromEntries(own),
  };
  return {
    env,
    readable: Object.values(env)
      .flatMap((value) => value.split(/[\s,|]+/).map(asPath))
      .filter(isAbsolute),
  };
}

const asPath = (value: string): string => value.replace(/^file:\/\//, "");

/** pip knows best where its settings lie, and which of them wins. */
async function pipSettings({ env, python }: SettingsParts): Promise<Record<string, string>> {
  if (!python) return {};
  const output = await answerOf([python, "-I", "-m", "pip", "config", "list"], env);
  const found: Record<string, string> = {};
  const ordered = output.split("\n").toSorted((one, other) => pipRank(one) - pipRank(other));
  for (const line of ordered) {
    const [, , name = "", value = ""] = /^(global|install|:env:)\.([\w-]+)=(.*)$/.exec(line) ?? [];
    if (PIP.test(name)) found[`PIP_${name.replaceAll("-", "_").toUpperCase()}`] = unquoted(value);
  }
  return found;
}

/** The environment wins over the files, and what is said of installing over what is said of all. */
const pipRank = (line: string): number =>
  ["global.", "install.", ":env:."].findIndex((start) => line.startsWith(start));

/** Written as Python writes a string; several values stand on lines of their own. */
const unquoted = (value: string): string =>
  value
    .replace(/^(['"])(.*)\1$/, "$2")
    .replace(/\\(n|r|t|\\|'|")/g, (_, escaped: string) => ({ n: " ", r: " ", t: " " })[escaped] ?? escaped)
    .trim();

function answerOf(argv: string[], env: SettingsParts["env"]): Promise<string> {
  const [program = "", ...args] = argv;
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "ignore"], timeout: ASK_MS });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    child.once("error", () => resolve(""));
    child.once("close", () => resolve(text));
  });
}

/** npm shows no credentials when it is asked, so its files are read: the user's wins over the computer's. */
function npmSettings({ env, npm }: SettingsParts): Record<string, string> {
  if (!npm) return {};
  const variable = (name: string): string | undefined =>
    Object.entries(env).find(([key]) => key.toLowerCase() === `npm_config_${name}`)?.[1];
  const files = [
    variable("globalconfig") ?? "/etc/npmrc",
    ...(variable("globalconfig") ? [] : ["/usr/etc/npmrc", "/usr/local/etc/npmrc"]),
    variable("userconfig") ?? join(env.HOME ?? homedir(), ".npmrc"),
  ];
  const found: Record<string, string> = {};
  const take = (name: string, value: string): void => {
    if (NPM.test(name) && value !== "") found[envName(name)] = value;
  };
  for (const file of files) for (const [name, value] of linesOf(file, env)) take(name, value);
  for (const [key, value] of Object.entries(env)) {
    const name = /^npm_config_(.*)$/i.exec(key)?.[1];
    if (name && value) take(name.startsWith("//") ? name : name.toLowerCase().replace(/(?!^)_/g, "-"), value);
  }
  return found;
}

/** As npm names them in the environment: those of one registry stay as they are written. */
const envName = (name: string): string => `npm_config_${name.startsWith("//") ? name : name.replaceAll("-", "_")}`;

function linesOf(file: string, env: SettingsParts["env"]): [string, string][] {
  try {
    return readFileSync(file, "utf8")
      .split(/\r?\n/)
      .filter((line) => !/^\s*[#;]/.test(line))
      .flatMap((line) => {
        const at = line.indexOf("=");
        const [name, value] = [line.slice(0, Math.max(0, at)).trim(), line.slice(at + 1).trim()];
        const plain = value.replace(/^"(.*)"$/, "$1").replace(/\$\{(\w+)\}/g, (_, key: string) => env[key] ?? "");
        return name === "" || /\s/.test(name) ? [] : [[name, plain] as [string, string]];
      });
  } catch {
    return [];
  }
}
