/** A project's own configuration file: what of it counts, and what its user must trust first. */
import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { PACK_FILES, PROMPT_FILE_BYTES } from "../../core/prompt/prompt.ts";
import { type Option, optionList } from "../../core/run/option-list.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { readRegularSync } from "../../host/regular-file.ts";
import type { TrustedFile } from "../../host/user-trust.ts";
import type { Settings } from "./config.ts";

/** The settings that a project may not give by itself. */
export function askedFor(project: Settings, user: Settings): (keyof Settings)[] {
  const names = Object.keys(project) as (keyof Settings)[];
  return names.filter((name) => {
    const option = optionList.find((each) => each.name === name);
    return project[name] !== undefined && !mayBeSet(option, project[name], user[name] ?? option?.default);
  });
}

/** What is no option, as the webhook, is not listed as one that a project may set. */
function mayBeSet(option: Option | undefined, value: unknown, limit: unknown): boolean {
  if (option?.inProject === "anything") return true;
  return option?.inProject === "less" && isLess(value, limit);
}

function isLess(value: unknown, limit: unknown): boolean {
  if (limit === undefined) return true;
  if (typeof value === "number") return typeof limit === "number" && value <= limit;
  if (Array.isArray(value)) return Array.isArray(limit) && value.every((each) => limit.includes(each));
  return value === false || limit === true;
}

export const without = (settings: Settings, names: (keyof Settings)[]): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !names.some((each) => each === name)));

/**
 * What is trusted: this text at this place, with the prompts that it names. What is changed later, by a pull or by a
 * checkout, is not.
 */
export function trustedFileOf(path: string, { text, settings }: { text: string; settings: Settings }): TrustedFile {
  const place = join(realpathSync(dirname(path)), basename(path));
  const { prompts } = settings;
  const pack = prompts === undefined ? [] : PACK_FILES.map((name) => promptText(join(prompts, name)));
  const digest = createHash("sha256")
    .update(JSON.stringify([place, text, pack]))
    .digest("hex");
  return { path: place, digest };
}

/** A file that is too large for a prompt is refused where prompts are read. */
function promptText(path: string): string | null {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= PROMPT_FILE_BYTES ? readRegularSync(path).toString("base64") : null;
  } catch {
    return null;
  }
}

/** The settings in words, for a person who decides. The secret of a webhook is not shown. */
export const settingsInWords = (settings: Settings, names: (keyof Settings)[]): string =>
  names.map((name) => `${name} ${valueInWords(settings[name])}`).join(", ");

const MOST_CHARS = 120;

function valueInWords(value: unknown): string {
  const shown = typeof value === "object" && value !== null && "url" in value ? value.url : value;
  const text = sanitizeLine(typeof shown === "string" ? shown : JSON.stringify(shown));
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text;
}

export const untrusted = (path: string, asked: string): UserError =>
  new UserError(
    `${path} sets ${asked}. Such settings could send your key elsewhere or run code of others: a project's file may give them only once you trust it. Nothing was sent or run.`,
    {
      exitCode: 3,
      remedy: {
        command: "trust",
        args: [],
        note: "if the file is yours, or you have read it; flags, variables and your own configuration need no trust",
      },
    },
  );
