/** Writes a program as Markdown, which `readMarkdown` reads back unchanged. Pure. */
import { bold, inForm, isRequirementId, oneLine, splitIds, wordsMark } from "../../program-item.ts";
import type { Program, ProgramNode } from "../schema.ts";
import { renderMarks } from "./marks.ts";

export function renderMarkdown({ requirements, instructions }: Program): string {
  const asked = requirements.map(({ id, text }) => `- ${id}: ${oneLine(text) || id}\n`);
  const head = asked.length > 0 ? `# Requirements\n\n${asked.join("")}\n` : "";
  return `${head}# Program\n\n${list(instructions)}\n`;
}

const list = (nodes: ProgramNode[]): string => nodes.map((node, index) => item(index, contentOf(node))).join("\n\n");

/** The first line of an item, and what is indented under it. */
interface Content {
  head: string;
  below: string;
}

function item(index: number, { head, below }: Content): string {
  const mark = `${index + 1}. `;
  if (below === "") return `${mark}${head}`;
  const lines = below.split("\n").map((line) => (line === "" ? "" : " ".repeat(mark.length) + line));
  return `${mark}${head}\n\n${lines.join("\n")}`;
}

const joined = (...parts: string[]): string => parts.filter(Boolean).join(" ");

function contentOf(node: ProgramNode): Content {
  if (node.kind === "do") return ofDo(node);
  const { id, kind, title, ...own } = node;
  const { fields, below } = partsOf({ ...own, kind } as ProgramNode);
  return {
    head: joined(
      title === undefined ? "" : bold(title),
      renderMarks({ ...(id === undefined ? {} : { id }), kind, fields }),
    ),
    below,
  };
}

function ofDo(node: Extract<ProgramNode, { kind: "do" }>): Content {
  const { kind: _, id, title: _title, text: _text, requirements: _requirements, words: _words, ...fields } = node;
  const { title, text, requirements, words } = inForm(node);
  const ids = [...requirements.filter(isRequirementId), ...(words ? [wordsMark(words)] : [])].join(", ");
  // A text that ends like a list of requirements says `()` above, so that it keeps its end.
  const beside = ids || splitIds(text).ids ? `(${ids})` : "";
  return {
    head: joined(bold(title), beside, renderMarks({ ...(id === undefined ? {} : { id }), fields })),
    below: text,
  };
}

/** What goes into the braces, and what below them. */
function partsOf(node: ProgramNode): { fields: Record<string, unknown>; below: string } {
  switch (node.kind) {
    case "ask": {
      const { kind: _, question, ...fields } = node;
      return { fields, below: question };
    }
    case "if": {
      const { kind: _, then, else: otherwise, ...fields } = node;
      const other = otherwise ? [item(then.length, { head: "{.else}", below: list(otherwise) })] : [];
      return { fields, below: [list(then), ...other].join("\n\n") };
    }
    case "call": {
      const { kind: _, body, ...fields } = node;
      return { fields, below: body ? list(body) : "" };
    }
    case "group":
    case "for_each":
    case "repeat": {
      const { kind: _, body, ...fields } = node;
      return { fields, below: list(body) };
    }
    default: {
      const { kind: _, ...fields } = node;
      return { fields, below: "" };
    }
  }
}
