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
      const [, key = "", first = ""] = /^([^=:]+?)\s*[=:]\s*(.*)$/.exec(plain) ?? [];
      value = first === "" ? [] : [withoutRemark(first)];
      if (key !== "") section?.set(key.toLowerCase(), value);
    }
  }
  return sections;
}

const withoutRemark = (text: string): string => text.replace(/\s+[#;]\s.*$/, "");

export const linesIn = (ini: Ini | undefined, section: string, key: string): string[] =>
  ini?.get(section)?.get(key) ?? [];

/** The lines of a key as `name = value`. */
export const pairsIn = (lines: string[]): [string, string][] =>
  lines.flatMap((line) => {
    const [, name = "", value = ""] = /^([^=]*?)\s*=\s*(.*)$/.exec(line) ?? [];
    return value === "" ? [] : [[name, value] as [string, string]];
  });
