/** SVG and HTML elements as text. All content is escaped. Pure. */
import { sanitize } from "../../../lib/core/text/sanitize.ts";
import { xml } from "../../../lib/core/text/xml.ts";

export type Attributes = Readonly<Record<string, string | number | undefined>>;

export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .flatMap(([key, value]) => (value === undefined ? [] : [` ${key}="${valueText(value)}"`]))
    .join("");
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join("")}</${name}>`;
}

/** Tenths of a pixel are enough, and keep thousands of shapes small. */
const valueText = (value: string | number): string =>
  typeof value === "number" ? String(Math.round(value * 10) / 10) : xml(value);

export const text = (words: string): string => xml(sanitize(words));

/** A tooltip, also read by screen readers. */
export const hint = (words: string): string => element("title", {}, text(words));
