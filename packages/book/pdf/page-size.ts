/** Sizes of a printed book, in points: 72 to the inch. */

/** Six by nine inches, as novels are. */
export const PAGE = { width: 432, height: 648 };
export const MARGIN = { side: 54, top: 66, bottom: 66 };
export const COLUMN = { width: PAGE.width - 2 * MARGIN.side, height: PAGE.height - MARGIN.top - MARGIN.bottom };

export const TEXT = { size: 10.5, height: 15 };
export const SMALL = { size: 8.8, height: 12.4 };
export const CODE = { size: 8.2, height: 11.4 };

/** Of a chapter's own heading, then of those below it. */
export const HEADINGS = [
  { size: 21, height: 27, before: 0, after: 26 },
  { size: 14, height: 19, before: 22, after: 8 },
  { size: 12, height: 17, before: 18, after: 6 },
  { size: 10.5, height: 15, before: 14, after: 4 },
];
