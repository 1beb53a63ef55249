/** Settings in sections, as Python's configparser reads them: setup.cfg, tox.ini, pytest.ini. Pure. */

/** By section, each key with its lines. Keys are in lower case. */
export type Ini = Map<string, Map<string, string[]>>;

export function parseIni(text: string): Ini {
  const sections: Ini = new Map();
  let section: Map<string, string[]> | undefined;
  let value: string[] | undefined;
  for (const line of text.split(/\r\n?|\n/)) {
    const plain = line.trim();
    if (plain === "" || /^[#;]/.test(plain)) continue;
    const header = /^\[([^\]]+)\]/.exec(line)?.[1];
    if (header !== undefined) {
      section = sections.get(header.trim()) ?? new Map();
      sections.set(header.trim(), section);
      value = undefined;
    } else if (/^\s/.test(line) && value) value.push(withoutRemark(plain));
    else {
      const [key, first] = splitAt(plain, plain.search(/[=:]/));
      value = first === "" ? [] : [withoutRemark(first)];
      if (key !== "") section?.set(key.toLowerCase(), value);
    }
  }
  return sections;
}

/** What is before the mark at a place, and what is after it. */
const splitAt = (text: string, at: number): [string, string] =>
  at === -1 ? ["", ""] : [text.slice(0, at).trimEnd(), text.slice(at + 1).trimStart()];

function withoutRemark(text: string): string {
  const at = text.search(/\s[#;]\s/);
  return at === -1 ? text : text.slice(0, at).trimEnd();
}

export const linesIn = (ini: Ini | undefined, section: string, key: string): string[] =>
  ini?.get(section)?.get(key) ?? [];

/** The lines of a key as `name = value`. */
export const pairsIn = (lines: string[]): [string, string][] =>
  lines.flatMap((line) => {
    const [name, value] = splitAt(line, line.indexOf("="));
    return value === "" ? [] : [[name, value] as [string, string]];
  });
