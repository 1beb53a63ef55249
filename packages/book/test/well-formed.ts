/** Whether a text is well-formed XML, as strictly as readers of EPUB take it. Says in words what is wrong, or nothing. */

const NAME = "[A-Za-z_][\\w.:-]*";
/** Attributes quoted, without `<`; every ampersand begins one of XML's five references, or a number. */
const VALUE = `"(?:[^<&"]|&(?:amp|lt|gt|quot|apos|#\\d+|#x[\\da-f]+);)*"`;
const TOKEN = new RegExp(
  [
    `<(?<close>/)?(?<name>${NAME})(?<attributes>(?:\\s+${NAME}=${VALUE})*)\\s*(?<empty>/)?>`,
    "(?<text>(?:[^<&>]|&(?:amp|lt|gt|quot|apos|#\\d+|#x[\\da-f]+);)+)",
  ].join("|"),
  "uy",
);

export function wellFormedProblem(document: string): string | undefined {
  const control = [...document].find((character) => isForbidden(character.codePointAt(0) ?? 0));
  if (control) return `holds the character ${control.codePointAt(0)}`;
  const body = document.replace(/^<\?xml [^?]*\?>\n/, "").replace(/^<!DOCTYPE html>\n/, "");
  const open: string[] = [];
  let roots = 0;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < body.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(body)?.groups;
    if (!found) return `is broken at ${JSON.stringify(body.slice(at, at + 60))}`;
    const { name, close, empty, attributes = "", text = "" } = found;
    if (!name && open.length === 0 && text.trim() !== "") return "has text outside its root";
    if (!name) continue;
    if (twice(attributes)) return `has an attribute twice in ${found.attributes}`;
    if (close && open.pop() !== name) return `closes ${name} at ${JSON.stringify(body.slice(at - 60, at + 60))}`;
    if (!close && open.length === 0) roots += 1;
    if (!close && !empty) open.push(name);
    // The limit of a widespread parser.
    if (open.length > 250) return "nests too deep";
  }
  if (open.length > 0) return `does not close ${open.join(" ")}`;
  return roots === 1 ? undefined : `has ${roots} roots`;
}

/** The values of an attribute in all elements. */
export const valuesOf = (document: string, attribute: string): string[] =>
  [...document.matchAll(new RegExp(`<[^>]*? ${attribute}="([^"]*)"`, "g"))].map(([, value]) => value ?? "");

function twice(attributes: string): boolean {
  const names = [...attributes.matchAll(new RegExp(`\\s(${NAME})=`, "g"))].map(([, name]) => name);
  return new Set(names).size < names.length;
}

const isForbidden = (code: number): boolean =>
  (code < 32 && code !== 9 && code !== 10 && code !== 13) ||
  (code >= 0xd800 && code <= 0xdfff) ||
  code === 0xfffe ||
  code === 0xffff;
