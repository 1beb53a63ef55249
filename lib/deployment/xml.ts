/** Answers of AWS's older services: XML of elements and texts. Pure. */
export interface XmlNode {
  name: string;
  text: string;
  children: XmlNode[];
}

const TOKEN = /<(\/?)([^<>]*)>|([^<]+)/g;
const NAME = /^[\w.:-]+/;

/** Attributes, comments and sections are in none of these answers. */
export function parseXml(xml: string): XmlNode {
  const root: XmlNode = { name: "", text: "", children: [] };
  const open = [root];
  for (const [, closing, tag = "", text] of xml.matchAll(TOKEN)) {
    const inner = open.at(-1) ?? root;
    const name = NAME.exec(tag)?.[0];
    if (text !== undefined) inner.text += unescaped(text.trim());
    else if (closing && name !== undefined) open.pop();
    else if (name !== undefined) {
      const node: XmlNode = { name, text: "", children: [] };
      inner.children.push(node);
      if (!tag.endsWith("/")) open.push(node);
    }
  }
  return root.children[0] ?? root;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const unescaped = (text: string): string => text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ENTITIES[name] ?? "");

export const childrenOf = ({ children }: XmlNode, name: string): XmlNode[] =>
  children.filter((each) => each.name === name);

/** Empty where there is none. */
export const textOf = (node: XmlNode, name: string): string => childrenOf(node, name)[0]?.text ?? "";
