/** Settings of Python projects, reduced to what says where code is and what the project is made of. Pure. */

/** Undefined: nothing of such a file is kept. */
export function plainPythonSettings(name: string, text: string): string | undefined {
  if (name === "pyproject.toml") return keptLines(text, { ...TOML, isSection: (section) => PROJECT.test(section) });
  if (/^\.?pytest\.toml$/.test(name)) return keptLines(text, { ...TOML, isSection: () => false, begins: "pytest" });
  if (/^(?:setup\.cfg|tox\.ini|\.?pytest\.ini)$/.test(name))
    return keptLines(text, { ...INI, isSection: (section) => CONFIG.test(section) });
  return undefined;
}

/** What packages are made of, and how they are built. */
const PROJECT =
  /^(?:project(?:\.(?!.*pytest).+)?|build-system|dependency-groups|tool\.(?:setuptools|setuptools_scm|setuptools-scm|flit|maturin|pdm\.(?:build|dev-dependencies)|hatch\.(?:build|metadata|version)|uv|poetry)(?:\.(?!.*pytest).+)?)$/;
const CONFIG = /^(?:metadata|options(?:\..+)?|build_ext|bdist_wheel)$/;
/** Of these only which packages they install. */
const ENVIRONMENT = /^(?:tool\.hatch\.envs\.[\w-]+|testenv(?::.+)?)$/;
const INSTALLED = /^(?:deps|extras|(?:extra-)?dependencies|features)$/;
const PYTEST = /^(?:pytest|tool:pytest|tool\.pytest(?:\.ini_options)?)$/;
/** They say where code is, and how tests without a loop of their own are awaited. */
const PLACES =
  /^(?:pythonpath|testpaths|asyncio_mode|asyncio_default_\w+|anyio_mode|markers|DJANGO_SETTINGS_MODULE|django_find_project)$/;
const ADDED = /--(?:import-mode|asyncio-mode)[= ]\w+/g;
const PLUGIN = /pytest11/;

interface Form {
  isHeader: RegExp;
  key: RegExp;
  quote: string;
}
const TOML: Form = { isHeader: /^\s*\[/, key: /^\s*(?:([\w.-]+)|"([\w.-]+)"|'([\w.-]+)')\s*=/, quote: '"' };
const INI: Form = { isHeader: /^\[/, key: /^([\w.-]+)\s*[=:]/, quote: "" };

interface Reading extends Form {
  isSection: (name: string) => boolean;
  /** The section that a file begins with. */
  begins?: string;
}

/** Line by line: what does not belong to a section that is kept is left out, whatever it is. */
function keptLines(text: string, { isHeader, key, quote, isSection, begins = "" }: Reading): string {
  const kept: string[] = [];
  let section = begins;
  let isKept = false;
  let added = "";
  for (const line of text.split(/\r?\n/)) {
    const header = isHeader.test(line) && !isContinued(kept, isKept);
    if (header) {
      section = sectionIn(line);
      isKept = isSection(section) || ENVIRONMENT.test(section) || PYTEST.test(section);
      if (isKept) kept.push(line);
      continue;
    }
    const [, ...names] = key.exec(line) ?? [];
    const name = names.find((each) => each !== undefined);
    if (name !== undefined) {
      isKept = isKeptKey(name, section, isSection(section));
      added = PYTEST.test(section) && name === "addopts" ? section : "";
    }
    const words = added === "" ? [] : (line.match(ADDED) ?? []);
    if (isKept) kept.push(line);
    else if (words.length > 0) kept.push(`addopts = ${quote}${words.join(" ")}${quote}`);
  }
  return `${kept.join("\n")}\n`;
}

function isKeptKey(name: string, section: string, isWhole: boolean): boolean {
  if (PYTEST.test(section)) return PLACES.test(name);
  return ENVIRONMENT.test(section) ? INSTALLED.test(name) : isWhole && !PLUGIN.test(name);
}

/** An array of arrays goes on in lines that begin as headers do. */
const isContinued = (kept: string[], isKept: boolean): boolean => isKept && /[[,]\s*$/.test(kept.at(-1) ?? "");

/** "" where it is written in a way that nothing here needs. */
const sectionIn = (line: string): string => /^\s*\[{1,2}\s*([\w.:-]+)\s*\]{1,2}\s*(?:[#;].*)?$/.exec(line)?.[1] ?? "";
