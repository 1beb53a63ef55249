/** What `npm test` of a package comes to: the commands that it runs one after the other. Pure. */
import type { Manifest } from "./manifest.ts";

/** What `npm init` writes, or says nothing about tests, is no test script. */
export function declaredScript({ scripts }: Manifest): string | undefined {
  const script = scripts.test?.trim();
  if (!script || script.includes("no test specified")) return undefined;
  return /^(?:echo\b[^&|;]*|true|:|exit \d+)$/.test(script) ? undefined : script;
}

/** Each runs where the one before it ended with 0. Empty: no test is declared. */
export const testSteps = (manifest: Manifest): string[] =>
  declaredScript(manifest) === undefined ? [] : expanded("test", manifest.scripts, []);

function expanded(name: string, scripts: Record<string, string>, within: string[]): string[] {
  if (within.includes(name) || within.length > 9) return [`npm run ${name}`];
  const hook = (hooked: string): string[] =>
    scripts[hooked]?.trim() ? expanded(hooked, scripts, [...within, name]) : [];
  const own = commandsIn(scripts[name]?.trim() ?? "").flatMap((command) => {
    const called = calledScript(command, scripts);
    if (!called) return [command];
    const steps = expanded(called.name, scripts, [...within, name]);
    if (called.args.length === 0) return steps;
    return steps.length === 1 ? [`${steps[0]} ${called.args.join(" ")}`] : [command];
  });
  return [...hook(`pre${name}`), ...own, ...hook(`post${name}`)];
}

/** Split at `&&`, where every part means alone what it means there. */
function commandsIn(script: string): string[] {
  const parts = script.split(/(?<!\s)\s*&&\s*/);
  return parts.some((part) => part === "" || LASTING.test(part) || SHELL.test(part.replaceAll(QUOTED, "")))
    ? [script]
    : parts;
}

/** It changes what comes after it in the same shell. */
const LASTING =
  /^(?:cd|export|set|unset|source|\.|alias|umask|trap|exec|exit|pushd|popd|if|for|while|case)\b|^[A-Z_]\w*=\S*$/;
const SHELL = /[|&;<>`\\(){}\n"']/;
/** Quoted, and without anything that would be read inside the quotes. */
const QUOTED = /"[^"'`$\\&]*"|'[^"'&]*'/g;

const MANAGERS = /^(?:npm|pnpm|yarn|bun)$/;

/** `npm run name`, `pnpm name`, `yarn name …`: a script of the same package, and what is handed on to it. */
function calledScript(command: string, scripts: Record<string, string>): { name: string; args: string[] } | undefined {
  const words = plainWords(command) ?? [];
  const [manager = ""] = words;
  if (!MANAGERS.test(manager)) return undefined;
  const rest = words.slice(1).filter((word, at, all) => !(SILENT.test(word) && !all.slice(0, at).includes("--")));
  const isRun = /^run(?:-script)?$/.test(rest[0] ?? "");
  if (isRun) rest.shift();
  const name = !isRun && manager === "npm" && /^t(?:st)?$/.test(rest[0] ?? "") ? "test" : (rest[0] ?? "");
  if (manager === "npm" && !isRun && !/^(?:test|start)$/.test(name)) return undefined;
  if (manager === "bun" && !isRun) return undefined;
  if (!Object.hasOwn(scripts, name) || scripts[name]?.trim() === "") return undefined;
  const args = rest.slice(1);
  // Without the dashes npm takes options for its own.
  if (manager === "npm" && args[0] !== "--" && args.some((word) => word.startsWith("-"))) return undefined;
  return { name, args: args[0] === "--" ? args.slice(1) : args };
}

const SILENT = /^(?:-s|--silent|--if-present)$/;

/** The words of a command that needs no shell. */
export function plainWords(command: string): string[] | undefined {
  const words = command.split(/\s+/).map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
  return /[|&;<>$`\\(){}#~"']/.test(words.join(" ")) ? undefined : words;
}

/** Every package of the workspace is tested by its own script, and nothing else is done. */
export function testsWorkspaces(steps: string[]): boolean {
  const words = plainWords(steps.at(-1) ?? "")?.join(" ") ?? "";
  return DELEGATED.some((form) => form.test(words));
}

const DELEGATED = [
  /^npm (?:run |run-script )?(?:t|tst|test)(?: (?:--workspaces|-ws|--ws|--if-present|-s|--silent))+$/,
  /^npm (?:--workspaces|-ws|--ws)(?: --if-present)? (?:run |run-script )?test(?: --if-present)?$/,
  /^pnpm (?:run )?(?:-r|--recursive)(?: -[\w-]+)*(?: run)? test(?: --[\w-]+)*$/,
  /^yarn workspaces (?:run test|foreach(?: -[\w-]+)* run test)$/,
  /^(?:npx )?(?:lerna run test|turbo (?:run )?test|nx run-many (?:-t test|--target[= ]test)(?: --all)?)(?: --[\w=-]+)*$/,
];
