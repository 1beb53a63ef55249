/** What is wrong with a YAML text. Its parser is large: who has no YAML does not load it. */
import { type Document, isAlias, isMap, isScalar, LineCounter, type Node, parseAllDocuments, visit } from "yaml";
import type { Problem } from "./data-language.ts";

export function yamlProblems(text: string): Problem[] {
  const lines = new LineCounter();
  // Its own look for keys that stand twice compares each with each.
  const parsed = parseAllDocuments(text, { uniqueKeys: false, prettyErrors: false, lineCounter: lines });
  const documents: Document.Parsed[] = Array.isArray(parsed) ? parsed : [];
  const found = documents.flatMap((document) => {
    const [first] = document.errors;
    // The parser catches it itself.
    if (first && /Maximum call stack/.test(first.message)) throw new RangeError(first.message);
    if (first) return [{ offset: first.pos[0], message: sentence(first.message) }];
    return ownProblems(document);
  });
  return found.map(({ offset, ...problem }) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col), ...problem };
  });
}

interface FoundProblem {
  offset: number;
  message: string;
  mild?: true;
}

function ownProblems(document: Document.Parsed): FoundProblem[] {
  const found: FoundProblem[] = [];
  const anchors = new Set<string>();
  visit(document, {
    Node(_, node: Node) {
      const anchor = "anchor" in node ? node.anchor : undefined;
      if (anchor) anchors.add(anchor);
      const offset = node.range?.[0] ?? 0;
      if (isAlias(node) && !anchors.has(node.source))
        found.push({
          offset,
          message: `nothing is anchored as "${node.source}"; quote the text if it is to begin with "*"`,
        });
      if (isMap(node)) found.push(...keysTwice(node.items.map(({ key }) => key)));
    },
  });
  return found;
}

/** Merges may stand as often as they like. */
function keysTwice(keys: unknown[]): FoundProblem[] {
  const seen = new Set<unknown>();
  return keys.flatMap((key) => {
    if (!isScalar(key) || key.value === "<<") return [];
    const { value } = key;
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [
      { offset: key.range?.[0] ?? 0, message: `the key "${String(value).slice(0, 60)}" is repeated`, mild: true },
    ];
  });
}

const sentence = (message: string): string => message.replace(/\s+/g, " ").trim();
