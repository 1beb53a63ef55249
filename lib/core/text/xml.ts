/** Text that can stand in an XML document, as content or in an attribute. Everything written by others passes here. */

export const xml = (text: string): string =>
  withoutForbidden(text).replace(/[&<>"']/g, (character) => ESCAPED[character] ?? character);

export const withoutForbidden = (text: string): string => text.replace(FORBIDDEN, "");

/** Not characters for XML, whatever their escape: controls, halves of pairs, two that are none. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const ESCAPED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
