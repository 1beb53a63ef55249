/** What a composer.json asks for. Pure. It is untrusted. */
import * as z from "zod";
import { fitsNode } from "../../packages/version-wanted.ts";

const Words = z.record(z.string(), z.string()).catch({});
const Prefixes = z.object({ "psr-4": z.record(z.string(), z.unknown()).catch({}) }).catch({ "psr-4": {} });
const Manifest = z.object({
  require: Words,
  "require-dev": Words,
  autoload: Prefixes,
  "autoload-dev": Prefixes,
  scripts: z.record(z.string(), z.unknown()).catch({}),
});

export interface ComposerManifest {
  php?: string;
  phpunit?: string;
  /** The packages besides PHP, its extensions and PHPUnit. */
  packages: string[];
  extensions: string[];
  /** The beginnings of the names of the project's own classes. */
  prefixes: string[];
  testScript: boolean;
}

const PHPUNIT = "phpunit/phpunit";

/** Undefined: it is no manifest. */
export function composerManifest(text: string): ComposerManifest | undefined {
  const parsed = parse(text);
  if (!parsed) return undefined;
  const all = { ...parsed.require, ...parsed["require-dev"] };
  const names = Object.keys(all);
  return {
    ...(all.php ? { php: all.php } : {}),
    ...(all[PHPUNIT] ? { phpunit: all[PHPUNIT] } : {}),
    packages: names.filter((name) => name.includes("/") && name !== PHPUNIT),
    extensions: names.flatMap((name) => (name.startsWith("ext-") ? [name.slice("ext-".length)] : [])),
    prefixes: [parsed.autoload, parsed["autoload-dev"]].flatMap((one) => Object.keys(one["psr-4"])),
    testScript: parsed.scripts.test !== undefined,
  };
}

function parse(text: string): z.infer<typeof Manifest> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null && !Array.isArray(read)
      ? Manifest.parse({ require: {}, "require-dev": {}, autoload: {}, "autoload-dev": {}, scripts: {}, ...read })
      : undefined;
  } catch {
    return undefined;
  }
}

/** `~1.2` allows what `^1.2` does, a single bar is an alternative, a comma or a space joins. */
export const fitsComposer = (version: string, range: string): boolean =>
  fitsNode(
    version,
    range
      .replaceAll(/@\w+/g, "")
      .replaceAll(/\|\|?/g, "||")
      .replaceAll(",", " ")
      .replaceAll(/~(\d+\.\d+)(?![.\d])/g, "^$1"),
  );

/** The package that a class is from, of those that are not here; all of them where that is not certain. */
export function packageOf(symbol: string, packages: string[]): string {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z\d]/g, "");
  const [first = "", second = "", third = ""] = symbol.replace(/^\\/, "").split("\\");
  const likely = packages.filter((name) => {
    const [vendor = "", own = ""] = name.split("/").map(plain);
    return plain(first).startsWith(vendor) || vendor.startsWith(plain(first)) || own === plain(first);
  });
  const exact = likely.find((name) => [second, third].some((part) => part !== "" && name.endsWith(`/${plain(part)}`)));
  return exact ?? likely[0] ?? packages.join(", ");
}
