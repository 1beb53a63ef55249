/** In which language a book is written, as far as its letters and its commonest words tell. */

export interface Language {
  /** As BCP 47 has it: for hyphenation, for voices that read aloud. */
  code: string;
  direction: "ltr" | "rtl";
  /** What the table of contents is called. */
  contents: string;
}

export function languageOf(text: string): Language {
  const code = byScript(text) ?? byWords(text) ?? "und";
  return { code, direction: /^(?:ar|fa|he)$/.test(code) ? "rtl" : "ltr", contents: CONTENTS[code] ?? "Contents" };
}

/** Scripts that tell the language, or nearly. The first that has its share of the letters wins. */
const SCRIPTS: [code: string, letters: RegExp][] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["ko", /\p{Script=Hangul}/gu],
  ["zh", /\p{Script=Han}/gu],
  ["fa", /[پچژگ]/gu],
  ["ar", /\p{Script=Arabic}/gu],
  ["he", /\p{Script=Hebrew}/gu],
  ["hi", /\p{Script=Devanagari}/gu],
  ["th", /\p{Script=Thai}/gu],
  ["el", /\p{Script=Greek}/gu],
  ["uk", /[іїєґ]/giu],
  ["ru", /\p{Script=Cyrillic}/gu],
];

/** Their own letters are a small part of all that a Persian or a Ukrainian writes; so is kana of some Japanese. */
const SHARES: Record<string, number> = { ja: 0.15, fa: 0.02, uk: 0.03 };
const SHARE = 0.4;

function byScript(text: string): string | undefined {
  const letters = count(text, /\p{L}/gu);
  return SCRIPTS.find(([code, own]) => count(text, own) > letters * (SHARES[code] ?? SHARE))?.[0];
}

/** Short words that are frequent in one of these languages and rare in the others. */
const WORDS: Record<string, string> = {
  en: "the and of to that was with his he for it is",
  de: "der die und das nicht ist ein eine mit den von sich",
  fr: "le les et des une est dans que qui pas pour du",
  es: "el los y que una es las con por del se su",
  it: "il di che è della una non per gli con sono del",
  pt: "o os e que uma não com do da em para é",
  nl: "het een en van dat niet zijn op te met voor hij",
  sv: "och att det som en på är inte med för han till",
  da: "og at det som en på er ikke med for han til",
  fi: "ja on ei se että hän oli mutta kun niin joka ovat",
  pl: "i w nie się na że jest do to z jak był",
  cs: "a se v na je že to s z do jako byl",
  tr: "ve bir bu için da de çok ne gibi daha ile ama",
  id: "yang dan di itu dengan untuk tidak ini dari dalam pada adalah",
  vi: "và là của một có không được cho người trong những với",
};

/** Of running text, at least a tenth are such words; far less is a list of names, or a language that is not here. */
const WORDS_SHARE = 0.08;
const WORDS_AT_LEAST = 3;

function byWords(text: string): string | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const scores = Object.entries(WORDS).map(([code, list]) => {
    const own = new Set(list.split(" "));
    return { code, hits: words.filter((word) => own.has(word)).length };
  });
  const best = scores.reduce((one, other) => (other.hits > one.hits ? other : one));
  return best.hits >= Math.max(WORDS_AT_LEAST, words.length * WORDS_SHARE) ? best.code : undefined;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const CONTENTS: Record<string, string> = {
  de: "Inhalt",
  fr: "Table des matières",
  es: "Índice",
  it: "Indice",
  pt: "Sumário",
  nl: "Inhoud",
  sv: "Innehåll",
  da: "Indhold",
  fi: "Sisällys",
  pl: "Spis treści",
  cs: "Obsah",
  tr: "İçindekiler",
  id: "Daftar isi",
  vi: "Mục lục",
  ru: "Содержание",
  uk: "Зміст",
  el: "Περιεχόμενα",
  zh: "目录",
  ja: "目次",
  ko: "차례",
  ar: "المحتويات",
  fa: "فهرست",
  he: "תוכן העניינים",
  hi: "विषय सूची",
  th: "สารบัญ",
};
