/** What a file says about which tests run and how: a runner's configuration, a test script. Pure. */

/** Two texts with the same answer choose the same tests. Empty: the file says nothing about tests. */
export function testSettingsIn(path: string, text: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "package.json") return manifestSettings(text, SCRIPTS, RUNNERS);
  if (name === "composer.json") return manifestSettings(text, ["test"], []);
  if (name === "Rakefile") return matchingLines(text, /test|spec|\b(?:sh|system|exit|abort|ruby)\b/i);
  if (name === "conftest.py") return matchingLines(text, DECIDING_HOOKS);
  if (name === ".npmrc") return matchingLines(text, /^[ \t]*(?:script-shell|node-options|shell|prefix)\b/);
  if (/^(?:GNUm|m|M)akefile$/.test(name)) return testTargets(text);
  if (name === "Cargo.toml") return matchingLines(text, /^[ \t]*(?:autotests|doctest|harness|test)[ \t]*=/);
  if (name === "pom.xml") return surefireSettings(text);
  if (/\.(?:ini|cfg|toml)$/.test(name)) return pytestSettings(name, text);
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(?:\/\/|#)/.test(line))
    .join("\n");
}

/** What configures the plugin that runs the tests, whatever its version, and the values that it looks for. */
function surefireSettings(text: string): string {
  const own = text.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "").replaceAll(/>\s+</g, "><");
  const plugins = own
    .split("</plugin>")
    .slice(0, -1)
    .map((part) => part.slice(part.lastIndexOf("<plugin>")))
    .filter((plugin) => plugin.includes("maven-surefire-plugin"));
  const values = own.match(
    /<(maven\.test\.[\w.]+|skipTests|surefire\.\w+|test(?:SourceDirectory|FailureIgnore)?)>[^<]*<\/\1>/g,
  );
  const configured = plugins.flatMap((plugin) => plugin.match(/<(?:configuration|executions)>.*/s) ?? []);
  return [...configured, ...(values ?? []).filter((each) => !each.startsWith("<surefire.version>"))].join("\n");
}

const matchingLines = (text: string, pattern: RegExp): string =>
  text
    .split("\n")
    .filter((line) => pattern.test(line))
    .map((line) => line.trim())
    .join("\n");

/** Fixtures are for tests; these decide which tests are found, and what their results are. */
const DECIDING_HOOKS =
  /\bpytest_(?:collect\w*|ignore_collect|itemcollected|runtest\w*|session\w*|cmdline\w*|load_initial_conftests|plugin_registered|pycollect\w*|pyfunc_call|make_\w+|report_(?!header)\w+|terminal_summary|deselected)\b|\bcollect_ignore(?:_glob)?\b|\bhook(?:wrapper|impl)\b|\bos\._exit\b/;

/** `prepare` runs before the tests, and could replace their runner. */
const SCRIPTS = ["prepare", "pretest", "test", "posttest"];
const RUNNERS = ["jest", "vitest", "mocha", "ava", "tap", "nyc", "c8"];

function manifestSettings(text: string, named: string[], runners: string[]): string {
  const manifest = objectIn(parsed(text));
  const scripts = objectIn(manifest.scripts);
  const chosen = [
    ...named.map((name) => [name, isPlaceholder(scripts[name]) ? undefined : scripts[name]]),
    ...runners.map((name) => [name, manifest[name]]),
  ].filter(([, value]) => value !== undefined);
  return chosen.length > 0 ? JSON.stringify(chosen) : "";
}

/** What `npm init` writes. */
const isPlaceholder = (script: unknown): boolean =>
  typeof script === "string" && /no test specified|^\s*$/.test(script);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const objectIn = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

/** The recipes of the test targets. */
function testTargets(text: string): string {
  const kept: string[] = [];
  let isInside = false;
  for (const line of text.split("\n").map((each) => each.trimEnd())) {
    const rule = /^([^\t#\s][^=:]*):(?!=)/.exec(line);
    if (rule) isInside = (rule[1] ?? "").split(/\s+/).some((target) => /^(?:tests?|check)$/.test(target));
    if (isInside && line !== "" && !/^\s*#/.test(line)) kept.push(line);
  }
  return kept.join("\n");
}

const PYTEST_SECTION = /^(?:pytest|tool:pytest|tool\.pytest(?:\.\w+)?)$/;
/** Where projects declare commands: those that test. */
const COMMAND_SECTION =
  /^(?:testenv(?::.*)?|tool\.tox(?:\..*)?|tool\.(?:poe\.tasks|pdm\.scripts|taskipy\.tasks|rye\.scripts)(?:\..*)?|tool\.hatch\.envs\.[\w-]+\.scripts)$/;
const TESTING = /^(?:commands\w*|change_?dir|cmd|check|cov\w*)$|test/i;
/** They change neither which tests run nor what their results are. */
const HARMLESS =
  /^(?:markers|minversion|filterwarnings|log_\w+|console_output_style|cache_dir|pythonpath|asyncio_\w+|anyio_mode|xfail_strict|strict\w*|required_plugins|timeout\w*|env|verbosity_\w+)$/i;

/** `[name]`, `[["name"]]  # remark`, in parts: each ends where it must, so none is tried twice. */
function sectionIn(line: string): string | undefined {
  const inner = line.slice(/^\s*\[+/.exec(line)?.[0].length ?? line.length);
  const [named = "", name = ""] = /^\s*"?([^\]"]*)/.exec(inner) ?? [];
  const isClosed = /^"?\s*\]+\s*(?:#.*)?$/.test(inner.slice(named.length));
  return isClosed && /[^"]/.test(named) ? name.trim() : undefined;
}

function pytestSettings(name: string, text: string): string {
  const kept: string[] = [];
  // pytest.toml needs no section.
  let isInside = /^\.?pytest\.toml$/.test(name);
  let isKept = true;
  let isChosen = (key: string): boolean => !HARMLESS.test(key);
  for (const line of text.split("\n").map((each) => each.trimEnd())) {
    const section = sectionIn(line);
    const key = /^([\w-]+)\s*[=:]/.exec(line)?.[1];
    if (section !== undefined && !/[,'=]/.test(section)) {
      const isCommands = COMMAND_SECTION.test(section);
      isInside = isCommands || PYTEST_SECTION.test(section);
      isChosen = isCommands ? (one) => TESTING.test(one) : (one) => !HARMLESS.test(one);
      isKept = !isCommands;
    } else if (key !== undefined) isKept = isChosen(key);
    if (section === undefined && isInside && isKept && !/^\s*(?:[#;].*)?$/.test(line)) kept.push(line.trim());
  }
  return kept.join("\n");
}
