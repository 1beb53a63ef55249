/** Pictures in a PDF: which of them it can show, and how large. */
import type { Picture } from "../images.ts";
import { COLUMN } from "./page-size.ts";
import type { Column } from "./paragraphs.ts";
import { pngSize } from "./png.ts";
import type { Row } from "./rows.ts";
import type { PrintedPicture } from "./spans.ts";

/** Screens have 96 pixels to the inch, pages 72 points. */
const POINTS_PER_PIXEL = 0.75;
const SPACE = 10;

/** PNG and JPEG are what a PDF can hold. Undefined for others, and for those that are damaged. */
export function printable(picture: Picture): PrintedPicture | undefined {
  const size =
    picture.kind === "png" ? pngSize(picture.content) : picture.kind === "jpeg" ? jpegSize(picture.content) : undefined;
  return size && size.width > 0 && size.height > 0 ? { ...picture, ...size } : undefined;
}

/** Frames of the kinds that readers of PDF decode, of 8 bits: baseline, extended and progressive. */
const FRAMES = [0xc0, 0xc1, 0xc2];

function jpegSize(content: Uint8Array): { width: number; height: number } | undefined {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  for (let at = 2; at + 10 <= content.length && content[at] === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = content[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const isKnown = FRAMES.includes(marker) && content[at + 4] === 8 && [1, 3, 4].includes(content[at + 9] ?? 0);
      return isKnown ? { width: view.getUint16(at + 7), height: view.getUint16(at + 5) } : undefined;
    }
  }
  return undefined;
}

/** In the middle of its column, never larger than a page. */
export function pictureRow(picture: PrintedPicture, { x, width }: Column): Row {
  const natural = { width: picture.width * POINTS_PER_PIXEL, height: picture.height * POINTS_PER_PIXEL };
  const room = COLUMN.height - 2 * SPACE;
  const scale = Math.min(1, width / natural.width, room / natural.height);
  const drawn = { width: natural.width * scale, height: natural.height * scale };
  const item = { kind: "picture" as const, picture, x: x + (width - drawn.width) / 2, y: SPACE, ...drawn };
  return { height: drawn.height + 2 * SPACE, before: 0, keep: false, items: [item], marks: [] };
}
