/** Which gems a project asks for, and which Ruby. Its manifests are code: they are only read. Pure. */

export interface WantedGems {
  /** Each gem with its requirements, as RubyGems writes them. */
  gems: Map<string, string[]>;
  /** The Ruby that the project asks for at least. */
  ruby?: string;
}

export interface GemManifests {
  gemfile: string;
  gemspecs: string[];
  lock: string;
  /** `.ruby-version` */
  version: string;
}

const STRINGS = /["']([^"']*)["']/g;
const GEM = /^[ \t]*gem[ (]+["']([\w.-]+)["']([^\n#]*)/gm;
const DEPENDENCY = /\.add_(?:runtime_|development_)?dependency[ (]+["']([\w.-]+)["']([^\n#]*)/g;
const REQUIREMENT = /^(?:[<>=~!]{1,2}\s*)?\d[\w.]*$/;
const RUBY = /^[ \t]*ruby[ (]+["'](?:>=|~>)?\s*(\d[\d.]*)|required_ruby_version\s*=\s*["'](?:>=|~>)\s*(\d[\d.]*)/m;

/** A lock file decides about versions. What is in the tree itself, or comes from a repository, is not looked up. */
export function wantedGems({ gemfile, gemspecs, lock, version }: GemManifests): WantedGems {
  const gems = new Map<string, string[]>();
  const locked = new Map(
    [...lock.matchAll(/^ {4}([\w.-]+) \((\d[\w.]*)\)$/gm)].map(([, name = "", at = ""]) => [name, at]),
  );
  const own = new Set(gemspecs.flatMap((text) => /\.name\s*=\s*["']([\w.-]+)["']/.exec(text)?.[1] ?? []));
  const found = [...gemfile.matchAll(GEM), ...gemspecs.flatMap((text) => [...text.matchAll(DEPENDENCY)])];
  for (const [, name = "", rest = ""] of found) {
    if (own.has(name) || /\b(?:path|git|github):|:(?:path|git|github) *=>/.test(rest)) continue;
    const asked = [...rest.matchAll(STRINGS)].flatMap(([, text = ""]) => (REQUIREMENT.test(text) ? [text] : []));
    const at = locked.get(name);
    gems.set(name, at ? [`= ${at}`] : asked);
  }
  const asked = [gemfile, ...gemspecs].flatMap(
    (text) =>
      RUBY.exec(text)
        ?.slice(1)
        .find((each) => each) ?? [],
  )[0];
  const ruby = asked ?? /^(?:ruby-)?(\d[\d.]*)\s*$/.exec(version)?.[1];
  return { gems, ...(ruby ? { ruby } : {}) };
}

/** The gem that brings the file of a `require`, of those that are declared. */
export function gemOf(required: string, gems: Iterable<string>): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[-_/]/g, "");
  const [first = ""] = required.split("/");
  const all = [...gems];
  return (
    all.find((name) => plain(name) === plain(required)) ??
    all.find((name) => plain(name) === plain(first)) ??
    all.find((name) => plain(required).startsWith(plain(name)) || plain(name).startsWith(plain(first)))
  );
}
