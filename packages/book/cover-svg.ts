/** The cover as an SVG, without scripts, styles or anything to fetch. */
import { xml } from "../../lib/core/text/xml.ts";
import { type Cover, createCover } from "./cover.ts";

/** A file of its own, for an EPUB. */
export const coverFile = (title: string): string =>
  createCoverSvg(title, `xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${xml(title)}"`);

/** Within a page that says the title itself. */
export const inlineCover = (title: string): string => createCoverSvg(title, 'class="cover" aria-hidden="true"');

function createCoverSvg(title: string, attributes: string): string {
  const cover = createCover(title);
  const { width, height, background, accent, pattern } = cover;
  return `<svg ${attributes} width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" fill="${background}"/>
<path d="${pattern}" fill="none" stroke="${accent}" stroke-width="14"/>
${textOf(cover)}</svg>
`;
}

const textOf = ({ title, size, ink, width }: Cover): string =>
  title
    .map(
      ({ text, y }) =>
        `<text x="${width / 2}" y="${Math.round(y)}" font-family="Georgia, 'Noto Serif', serif" font-size="${size}" fill="${ink}" text-anchor="middle">${xml(text)}</text>\n`,
    )
    .join("");
