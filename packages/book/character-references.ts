/** `&eacute;` and `&#233;` as the character that they mean. XML knows five of the names only, so they cannot stay. */

export const characters = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g,
    (whole: string, ...found: (string | undefined)[]) => {
      const [decimal, hex = "", name] = found;
      if (name) return NAMED.get(name) ?? whole;
      return character(decimal ? Number(decimal) : Number.parseInt(hex, 16));
    },
  );

const character = (code: number): string =>
  code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "\ufffd" : String.fromCodePoint(code);

/** Those of Latin 1 in their order, from 160 on. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

/** Those that writers use beyond: each name with its character. */
const OTHERS =
  "amp& lt< gt> quot\" apos' OElig\u0152 oelig\u0153 Scaron\u0160 scaron\u0161 ensp\u2002 emsp\u2003 thinsp\u2009 zwnj\u200c zwj\u200d ndash\u2013 mdash\u2014 lsquo\u2018 rsquo\u2019 sbquo\u201a ldquo\u201c rdquo\u201d bdquo\u201e dagger\u2020 Dagger\u2021 bull\u2022 hellip\u2026 permil\u2030 prime\u2032 Prime\u2033 lsaquo\u2039 rsaquo\u203a frasl\u2044 euro\u20ac trade\u2122 larr\u2190 uarr\u2191 rarr\u2192 darr\u2193 harr\u2194 rArr\u21d2 minus\u2212 radic\u221a infin\u221e asymp\u2248 ne\u2260 le\u2264 ge\u2265 sum\u2211 alpha\u03b1 beta\u03b2 gamma\u03b3 delta\u03b4 Delta\u0394 epsilon\u03b5 theta\u03b8 lambda\u03bb mu\u03bc pi\u03c0 sigma\u03c3 phi\u03c6 omega\u03c9 Omega\u03a9 starf\u2605 check\u2713 hearts\u2665 colon: comma, period. lpar( rpar) lsqb[ rsqb] ast* lowbar_ num# grave`";

const NAMED = new Map([
  ...LATIN.split(" ").map((name, index): [string, string] => [name, String.fromCharCode(160 + index)]),
  ...OTHERS.split(" ").map((entry): [string, string] => [entry.slice(0, -1), entry.slice(-1)]),
]);
