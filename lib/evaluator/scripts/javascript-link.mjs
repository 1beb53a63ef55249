// Links one module against stand-ins of what it imports, so that V8 itself says which name is not exported.
import { SourceTextModule, SyntheticModule } from "node:vm";

const NOT_EXPORTED = /^The requested module '(.*)' does not provide an export named '(.*)'$/s;
const ATTEMPTS = 300;

let modules = 0;

/** Thousands of modules with the same text and the same name would each be compared with all before. */
export function moduleOf(code) {
  modules += 1;
  return new SourceTextModule(code, { identifier: `code${modules}` });
}

/** Specifiers as written, each once. */
export function requestsOf(code) {
  const module = moduleOf(code);
  return [...new Set(module.moduleRequests?.map(({ specifier }) => specifier) ?? module.dependencySpecifiers)];
}

/** Imports from where nothing is known get every name they ask for; the first link mostly has them all. */
export async function link(code, known, { lenient = false } = {}) {
  const granted = new Map();
  const unknown = [];
  const guesses = namesIn(code);
  const namesFor = (specifier) => [
    ...new Set([...(known.get(specifier) ?? guesses), ...(granted.get(specifier) ?? [])]),
  ];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const module = moduleOf(code);
    try {
      await module.link(async (specifier) => new SyntheticModule(namesFor(specifier), () => {}));
      return { module, unknown };
    } catch (problem) {
      const [, specifier, name] = NOT_EXPORTED.exec(problem.message) ?? [];
      if (name === undefined || granted.get(specifier)?.includes(name)) return { unknown };
      granted.set(specifier, [...(granted.get(specifier) ?? []), name]);
      if (known.get(specifier) && !lenient) unknown.push({ specifier, name });
    }
  }
  return { unknown };
}

function namesIn(code) {
  const names = new Set(["default"]);
  for (const [, clause] of code.matchAll(/(?:import|export)\b[^'"`;{}]{0,300}\{([^{}]*)\}\s*from/g))
    for (const [name] of clause.matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)) names.add(name);
  return [...names];
}
