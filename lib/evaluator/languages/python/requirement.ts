/** A requirement as Python's standard writes it: read by its grammar, and written again from the parts alone. Pure. */

export interface Requirement {
  name: string;
  /** `name[extras]versions; condition`, of which pip can take nothing for an option, a path or an address. */
  text: string;
}

/** What is longer was not written by hand. */
const CHARS = 2_000;
const DEEPEST = 10;

/** Undefined: it is none, or it names an address. */
export function parseRequirement(line: string): Requirement | undefined {
  if (line.length > CHARS || !/^[ -~\t]*$/.test(line)) return undefined;
  const reader: Reader = { text: line.replaceAll("\t", " ").trim(), at: 0 };
  const name = word(reader, /[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?/y);
  if (name === undefined || /\.(?:whl|zip|tar|tgz|gz|bz2|xz)$/i.test(name)) return undefined;
  const extras = word(reader, /\[/y) === undefined ? [] : listOf(reader, () => word(reader, NAME), /\]/y);
  const isOpen = word(reader, /\(/y) !== undefined;
  const versions = versionsFrom(reader, isOpen);
  if (!extras || !versions) return undefined;
  const condition = word(reader, /;/y) === undefined ? "" : alternatives(reader, 0);
  if (condition === undefined || reader.at < reader.text.length) return undefined;
  const shown = extras.length > 0 ? `[${extras.join(",")}]` : "";
  return { name, text: `${name}${shown}${versions.join(",")}${condition === "" ? "" : `; ${condition}`}` };
}

interface Reader {
  text: string;
  at: number;
}

/** Blanks count nowhere but between words. */
function word(reader: Reader, pattern: RegExp): string | undefined {
  while (reader.text[reader.at] === " ") reader.at += 1;
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found !== undefined) reader.at += found.length;
  while (found !== undefined && reader.text[reader.at] === " ") reader.at += 1;
  return found;
}

const NAME = /[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?/y;
const SIGN = /===|==|~=|!=|<=|>=|<|>/y;

/** Parted by commas, up to what ends it. */
function listOf(reader: Reader, one: () => string | undefined, end: RegExp): string[] | undefined {
  const found: string[] = [];
  for (;;) {
    if (word(reader, end) !== undefined) return found;
    const next = one();
    if (next === undefined) return undefined;
    found.push(next);
    if (word(reader, /,/y) === undefined) return word(reader, end) === undefined ? undefined : found;
  }
}

const versionsFrom = (reader: Reader, isOpen: boolean): string[] | undefined =>
  listOf(reader, () => versionFrom(reader), isOpen ? /\)/y : /(?=;|$)/y);

const RELEASE = String.raw`v?(?:\d+!)?\d+(?:\.\d+)*`;
const PRE = String.raw`(?:[-_.]?(?:alpha|beta|preview|pre|rc|a|b|c)[-_.]?\d*)?`;
const POST = String.raw`(?:-\d+|[-_.]?(?:post|rev|r)[-_.]?\d*)?(?:[-_.]?dev[-_.]?\d*)?`;
const LOCAL = String.raw`(?:\+[a-z0-9]+(?:[-_.][a-z0-9]+)*)?`;
const PLAIN = new RegExp(`^${RELEASE}${PRE}${POST}$`, "i");
const EXACT = new RegExp(`^${RELEASE}${PRE}(?:\\.\\*|${POST}${LOCAL})$`, "i");

function versionFrom(reader: Reader): string | undefined {
  const sign = word(reader, SIGN);
  const written = sign === undefined ? undefined : word(reader, /[A-Za-z0-9._*+!-]+/y);
  if (sign === undefined || written === undefined) return undefined;
  // Older versions of pip read `>=1.*` as `>=1`.
  const version = sign === ">=" || sign === "<" ? written.replace(/\.\*$/, "") : written;
  const isVersion = sign === "==" || sign === "!=" ? EXACT.test(version) : PLAIN.test(version);
  if (!isVersion || (sign === "~=" && !/\d\.\d/.test(version))) return undefined;
  return `${sign}${version}`;
}

const VARIABLE =
  /(?:python_version|python_full_version|os_name|os\.name|sys_platform|sys\.platform|platform_release|platform_system|platform_version|platform\.version|platform_machine|platform\.machine|platform_python_implementation|platform\.python_implementation|python_implementation|implementation_name|implementation_version|extra)\b/y;
/** pip reads a word with a hyphen before it as an option, in quotes too. */
const QUOTED = /"(?! *-)[A-Za-z0-9._+*!,~ -]*"|'(?! *-)[A-Za-z0-9._+*!,~ -]*'/y;

function alternatives(reader: Reader, depth: number): string | undefined {
  return joined(reader, / ?or\b/y, () => joined(reader, / ?and\b/y, () => comparison(reader, depth)));
}

function joined(reader: Reader, link: RegExp, one: () => string | undefined): string | undefined {
  const found: string[] = [];
  do {
    const next = one();
    if (next === undefined) return undefined;
    found.push(next);
  } while (word(reader, link) !== undefined);
  return found.join(link.source.includes("or") ? " or " : " and ");
}

function comparison(reader: Reader, depth: number): string | undefined {
  if (word(reader, /\(/y) !== undefined) {
    const inner = depth < DEEPEST ? alternatives(reader, depth + 1) : undefined;
    return inner === undefined || word(reader, /\)/y) === undefined ? undefined : `(${inner})`;
  }
  const left = operand(reader);
  const sign = word(reader, SIGN) ?? word(reader, /in\b|not +in\b/y)?.replace(/ +/, " ");
  const right = operand(reader);
  return left === undefined || sign === undefined || right === undefined ? undefined : `${left} ${sign} ${right}`;
}

function operand(reader: Reader): string | undefined {
  const found = word(reader, VARIABLE);
  if (found !== undefined) return found;
  const quoted = word(reader, QUOTED);
  return quoted === undefined || / -/.test(quoted) ? undefined : `"${quoted.slice(1, -1)}"`;
}
