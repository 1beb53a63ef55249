/** Reads what concerns pytest out of an ini, cfg or toml file: names and values as they are written. Pure. */

export function settingsIn(name: string, text: string): Map<string, string> {
  const toml = name.endsWith(".toml");
  const found = new Map<string, string>();
  let section = "";
  let key: string | undefined;
  for (const line of (toml ? logical(text) : text.split("\n")).map((one) => one.trimEnd())) {
    if (/^\s*(?:[#;].*)?$/.test(line)) continue;
    const header = /^\s*\[{1,2}([^\][]*)\]/.exec(line)?.[1];
    if (header !== undefined && (toml || !/^\s/.test(line))) {
      section = toml ? plain(header) : header.trim();
      key = undefined;
    } else if (!toml && /^\s/.test(line) && key !== undefined)
      found.set(key, `${found.get(key) ?? ""}\n${line.trim()}`);
    else {
      key = keyIn(line, { name, section, toml });
      if (key !== undefined)
        found.set(
          key,
          line
            .slice(line.search(/[=:]/) + 1, toml ? tomlEnd(line) : undefined)
            .replace(toml ? /^$/ : /\s[#;].*$/, "")
            .trim(),
        );
    }
  }
  return found;
}

interface Place {
  name: string;
  section: string;
  toml: boolean;
}

/** Undefined: it is not about pytest. */
function keyIn(line: string, { name, section, toml }: Place): string | undefined {
  const end = line.search(/[=:]/);
  if (end === -1) return undefined;
  const key = line.slice(0, end).trim();
  if (!toml) return (name === "setup.cfg" ? "tool:pytest" : "pytest") === section ? key : undefined;
  const path = [section, plain(key)].filter((part) => part !== "").join(".");
  if (/^\.?pytest\.toml$/.test(name)) return path.replace(/^pytest\./, "");
  const own = /^tool\.pytest(?:\.ini_options)?\.(.+)$/.exec(path)?.[1];
  if (own !== undefined) return own;
  // Tables may be written within a line.
  return /^tool(?:\.pytest(?:\.ini_options)?)?$/.test(path) && line.includes("{") ? path : undefined;
}

/** Where a comment begins behind the last quote. */
function tomlEnd(line: string): number {
  const quoted = Math.max(line.lastIndexOf('"'), line.lastIndexOf("'")) + 1;
  const comment = line.slice(quoted).search(/\s#/);
  return comment === -1 ? line.length : quoted + comment;
}

const plain = (key: string): string =>
  key
    .split(".")
    .map((part) => part.trim().replaceAll(/^["']|["']$/g, ""))
    .join(".");

/** Arrays and long strings on one line each. */
function logical(text: string): string[] {
  const found: string[] = [];
  let current = "";
  let depth = 0;
  let long: string | undefined;
  for (const line of text.split("\n")) {
    current = current === "" ? line : `${current} ${line.trim()}`;
    [depth, long] = state(line, current === line && /^\s*\[/.test(line) ? "header" : "value", [depth, long]);
    if (depth > 0 || long !== undefined) continue;
    found.push(current);
    current = "";
  }
  return current === "" ? found : [...found, current];
}

/** How many brackets are open after a line, and which long string. */
function state(
  line: string,
  kind: "header" | "value",
  [open, within]: [number, string | undefined],
): [number, string | undefined] {
  if (kind === "header" && within === undefined) return [0, undefined];
  let depth = open;
  let quote = within;
  for (const [mark] of line.matchAll(/"""|'''|\\.|["'[\]{}#]/g)) {
    if (quote !== undefined) quote = mark === quote ? undefined : quote;
    else if (mark === "#") break;
    else if (/^["']/.test(mark)) quote = mark;
    else if (mark === "[" || mark === "{") depth += 1;
    else if (mark === "]" || mark === "}") depth -= 1;
  }
  return [Math.max(0, depth), quote !== undefined && quote.length === 3 ? quote : undefined];
}
