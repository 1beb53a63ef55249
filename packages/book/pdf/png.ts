/** Reads PNG as far as needed to know that it can be decoded: a damaged one would end the whole book. */
import { inflateSync } from "node:zlib";

interface Header {
  width: number;
  height: number;
  bits: number;
  colour: number;
}

/** Decoded, a picture with transparency takes four bytes for each. */
const PIXELS_AT_MOST = 16_000_000;

/** By the kind of colour: how many values a pixel has. */
const VALUES: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const BITS: Record<number, number[]> = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] };

/** Undefined where it cannot be shown: damaged, interlaced or too large. */
export function pngSize(content: Uint8Array): { width: number; height: number } | undefined {
  const chunks = chunksOf(content);
  const header = headerIn(chunks?.[0]);
  if (!chunks || !header || chunks.at(-1)?.type !== "IEND") return undefined;
  const palette = chunks.find(({ type }) => type === "PLTE")?.data.length ?? 0;
  if (header.colour === 3 && (palette === 0 || palette % 3 !== 0 || palette > 768)) return undefined;
  const data = Buffer.concat(chunks.flatMap(({ type, data }) => (type === "IDAT" ? [data] : [])));
  return isWhole(header, data) ? { width: header.width, height: header.height } : undefined;
}

interface Chunk {
  type: string;
  data: Uint8Array;
}

function chunksOf(content: Uint8Array): Chunk[] | undefined {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const chunks: Chunk[] = [];
  for (let at = 8; at + 12 <= content.length; ) {
    const length = view.getUint32(at);
    if (length > content.length - at - 12) return undefined;
    const type = String.fromCharCode(...content.subarray(at + 4, at + 8));
    chunks.push({ type, data: content.subarray(at + 8, at + 8 + length) });
    if (type === "IEND") return chunks;
    at += length + 12;
  }
  return undefined;
}

function headerIn(chunk: Chunk | undefined): Header | undefined {
  if (chunk?.type !== "IHDR" || chunk.data.length !== 13) return undefined;
  const { data } = chunk;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [bits = 0, colour = -1, compression, filter, interlaced] = data.subarray(8);
  const isKnown = BITS[colour]?.includes(bits) && compression === 0 && filter === 0 && interlaced === 0;
  return isKnown && width > 0 && height > 0 && width * height <= PIXELS_AT_MOST
    ? { width, height, bits, colour }
    : undefined;
}

/** It inflates to as many bytes as its size asks for, never more, and every line has a filter that exists. */
function isWhole({ width, height, bits, colour }: Header, data: Uint8Array): boolean {
  const line = 1 + Math.ceil((width * bits * (VALUES[colour] ?? 1)) / 8);
  try {
    const pixels = inflateSync(data, { maxOutputLength: line * height });
    if (pixels.length !== line * height) return false;
    for (let at = 0; at < pixels.length; at += line) if ((pixels[at] ?? 9) > 4) return false;
    return true;
  } catch {
    return false;
  }
}
