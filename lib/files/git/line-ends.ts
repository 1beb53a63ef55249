/** Line ends of a working tree that Git converts when files are added: a repository keeps those that it has. Pure. */

/** The content with the line ends of `stored`, where the only difference can be that Git converted them on checkout. */
export function withStoredLineEnds(content: Uint8Array, stored: Uint8Array | undefined): Uint8Array {
  if (stored === undefined || stored.includes(CR) || content.includes(0) || !hasOnlyCrLf(content)) return content;
  return content.filter((byte) => byte !== CR);
}

const [CR, LF] = [13, 10];

/** At least one line end, and each of them CR LF. */
function hasOnlyCrLf(content: Uint8Array): boolean {
  let found = false;
  for (let at = 0; at < content.length; at += 1) {
    if (content[at] === CR && content[at + 1] !== LF) return false;
    if (content[at] !== LF) continue;
    if (content[at - 1] !== CR) return false;
    found = true;
  }
  return found;
}
