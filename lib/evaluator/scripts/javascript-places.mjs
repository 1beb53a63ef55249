// Where an import is in its code, found in the text: V8 does not report it.

/** The place of the import: the name within the clause that asks for it, else the first such specifier. */
export function placeOf(code, specifier, name) {
  const clauses = clausesOf(code, specifier);
  for (const { start, end } of name === undefined ? [] : clauses) {
    const at = name === "default" ? defaultIn(code.slice(start, end)) : wordIn(code.slice(start, end), name);
    if (at !== -1) return lineAndColumn(code, start + at);
  }
  return clauses[0] ? lineAndColumn(code, clauses[0].end) : {};
}

/** From the keyword to the specifier's quote, for each time it is written. */
function clausesOf(code, specifier) {
  const ends = [`"${specifier}"`, `'${specifier}'`].flatMap((quoted) => {
    const found = [];
    for (let at = code.indexOf(quoted); at !== -1; at = code.indexOf(quoted, at + 1)) found.push(at);
    return found;
  });
  return ends
    .sort((one, other) => one - other)
    .map((end) => ({ start: Math.max(0, code.lastIndexOf("import", end), code.lastIndexOf("export", end)), end }));
}

const defaultIn = (clause) => clause.search(/(?<=^import\s{1,99})[\p{ID_Start}$_]|(?<![\w$])default(?![\w$])/u);

function wordIn(clause, name) {
  for (let at = clause.indexOf(name); at !== -1; at = clause.indexOf(name, at + 1))
    if (!/[\w$]/.test(clause[at - 1] ?? "") && !/[\w$]/.test(clause[at + name.length] ?? "")) return at;
  return -1;
}

function lineAndColumn(code, at) {
  const before = code.slice(0, at).split("\n");
  return { line: before.length, column: before.at(-1).length + 1 };
}
