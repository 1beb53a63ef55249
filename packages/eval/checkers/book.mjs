/**
 * Checks a book: counts, passages, references and what is delivered. Nothing of the tree is executed, and how it reads is
 * not judged. The last line of the output begins with a number that only the caller knows.
 */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { text } from "node:stream/consumers";
import { inflateRawSync } from "node:zlib";

const CHAPTER_BYTES = 1_000_000;
const CHAPTERS = 200;
const EPUB_BYTES = 50_000_000;
const GRAM = 8;
const MOST_REPEATED = 0.05;
const SAMPLE_WORDS = 12;

const wordsIn = (source) =>
  (source.replace(/\]\([^()\s[]*\)/g, "]").match(/[\p{L}\p{N}]+(?:['’]\p{L}+)*/gu) ?? []).map((word) =>
    word.replace("’", "'").toLowerCase(),
  );
const flat = (source) => source.replace(/[*_`]/g, "").replace(/\s+/g, " ").replaceAll("’", "'");
const plain = (source) => flat(source).toLowerCase();
const headingsIn = (source) => [...source.matchAll(/^#{1,6} +(.+)$/gm)].map(([, title]) => title.trim());
const withoutNumber = (title) => plain(title).replace(/^(?:chapter )?(?:\d+|[ivxlc]+)(?:[.:)]| [–—-]) */, "");
const anchorOf = (title) =>
  plain(title)
    .replace(/[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");

/** Chapters by their files, in order; what is no plain file, or too large, is none. */
function chaptersIn(folder) {
  const names = filesIn(join(folder, "chapters")).filter((name) => /\.(?:md|markdown)$/i.test(name));
  const order = new Intl.Collator("en", { numeric: true });
  return names
    .sort((one, other) => order.compare(one, other))
    .slice(0, CHAPTERS)
    .flatMap((name) => {
      const source = readPlain(join(folder, "chapters", name), CHAPTER_BYTES)?.toString("utf8");
      if (source === undefined) return [];
      const [first = ""] = /^# .+$/m.exec(source) ?? [];
      const title = withoutNumber(first.slice(2).trim());
      return [{ path: `chapters/${name}`, source, title, words: wordsIn(source), plain: plain(source) }];
    });
}

function filesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readPlain(path, most) {
  try {
    const about = lstatSync(path);
    return about.isFile() && about.size <= most ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function outcomeOf({ folder, spec }) {
  const all = chaptersIn(folder);
  const written = withoutCopies(all, spec.task);
  const chapters = spec.titles.map((title) => written.find((each) => each.title === withoutNumber(title)));
  const [least] = spec.words;
  // What holds of the whole is asked of a book that is there.
  const isWhole = chapters.every((each) => each && each.words.length >= least / 2);
  const book = { folder, all, chapters, isWhole, spec, repeated: repeatedShare(all) };
  const failed = spec.checks.filter((check) => !CHECKS[check.kind](book, check)).map(nameOf);
  const measured = { words: all.reduce((sum, { words }) => sum + words.length, 0), repeated: book.repeated };
  return [spec.checks.length - failed.length, spec.checks.length, failed.slice(0, 3), measured];
}

const nameOf = ({ kind, chapter, text: said, says, from, to }) =>
  [kind, chapter ?? from, to, said ?? says].filter((part) => part !== undefined).join(" ");

const CHECKS = {
  chapters: ({ all, chapters }) => all.length === chapters.length && all.every((each, at) => each === chapters[at]),
  words({ chapters, spec: { words } }, { chapter }) {
    const count = chapters[chapter - 1]?.words.length ?? 0;
    return count >= words[0] && count <= words[1];
  },
  says: ({ chapters }, { chapter, text: said }) => chapters[chapter - 1]?.plain.includes(plain(said)) === true,
  fact({ all, chapters }, { chapters: where, says, pattern, value }) {
    const isSaid = where.every((at) => chapters[at - 1]?.plain.includes(plain(says)));
    const found = all.flatMap((each) =>
      [...flat(each.source).matchAll(new RegExp(pattern, "g"))].map(([, said]) => said),
    );
    return isSaid && found.every((said) => said === value);
  },
  link({ chapters }, { from, to }) {
    const [source, target] = [chapters[from - 1], chapters[to - 1]];
    return source && target ? linksIn(source).some(({ path }) => path === target.path) : false;
  },
  links(book) {
    const links = book.all.flatMap(linksIn);
    return book.isWhole && links.length > 0 && links.every((link) => leadsSomewhere(book, link));
  },
  glossary({ chapters }, { chapter, terms }) {
    const own = chapters[chapter - 1];
    const others = chapters.filter((each) => each && each !== own);
    const isExplained = (term) =>
      own.source
        .split("\n")
        .some((line) => plain(line.trim()).startsWith(plain(term)) && /^(?:[-*] )?(?:\*\*|__)/.test(line.trim()));
    return own !== undefined && terms.every((term) => isExplained(term) && others.some((each) => hasWord(each, term)));
  },
  table({ chapters }, { chapter, rows }) {
    const lines = (chapters[chapter - 1]?.source ?? "").split("\n").filter((line) => line.includes("|"));
    const cells = lines.map((line) => line.split("|").map((cell) => plain(cell).trim()));
    return rows.every((row) => cells.some((line) => row.every((cell) => line.includes(plain(cell)))));
  },
  placeholders: ({ isWhole, all }) =>
    isWhole &&
    !all.some(({ source }) => /\b(?:TODO|TBD|FIXME|XXX)\b|lorem ipsum|\[(?:insert|placeholder)\b|\{\{/i.test(source)),
  repetition: ({ isWhole, repeated }) => isWhole && repeated <= MOST_REPEATED,
  epub: ({ isWhole, folder, chapters }) => isWhole && epubHas(folder, chapters),
};

const hasWord = ({ words }, term) => ` ${words.join(" ")} `.includes(` ${wordsIn(term).join(" ")} `);

const gramsOf = (words) =>
  Array.from({ length: Math.max(0, words.length - GRAM + 1) }, (_, at) => words.slice(at, at + GRAM).join(" "));

/** Of all runs of eight words, the share that was there before. */
function repeatedShare(chapters) {
  const grams = chapters.flatMap(({ words }) => gramsOf(words));
  return grams.length === 0 ? 0 : 1 - new Set(grams).size / grams.length;
}

/** A chapter that is for the most part in another one, or in the task, is not written. */
function withoutCopies(chapters, task) {
  const places = new Map(gramsOf(wordsIn(task)).map((gram) => [gram, 1]));
  const own = chapters.map(({ words }) => new Set(gramsOf(words)));
  for (const grams of own) for (const gram of grams) places.set(gram, (places.get(gram) ?? 0) + 1);
  return chapters.filter((_, at) => {
    const copied = [...own[at]].filter((gram) => places.get(gram) > 1).length;
    return copied <= own[at].size / 2;
  });
}

/** Within the book. */
function linksIn({ path, source }) {
  const targets = [...source.matchAll(/\[[^\][\n]*\]\(([^()\s[]*)\)/g)].map(([, target]) => target);
  return targets
    .filter((target) => !/^[a-z]+:/i.test(target))
    .map((target) => {
      const [file, anchor] = target.split("#");
      return { path: file === "" ? path : posix.join(posix.dirname(path), file), anchor };
    });
}

function leadsSomewhere({ all }, { path, anchor }) {
  const target = all.find((each) => each.path === path);
  return target !== undefined && (!anchor || headingsIn(target.source).some((title) => anchorOf(title) === anchor));
}

/** An EPUB beside the chapters that has words of the middle of each. */
function epubHas(folder, chapters) {
  const name = filesIn(folder).find((each) => each.endsWith(".epub"));
  const bytes = name === undefined ? undefined : readPlain(join(folder, name), EPUB_BYTES);
  if (!bytes) return false;
  try {
    const entries = entriesOf(bytes);
    if (entries[0]?.name !== "mimetype" || entries[0].read() !== "application/epub+zip") return false;
    const pages = entries.filter((entry) => /\.x?html$/.test(entry.name)).map((entry) => entry.read());
    const has = ` ${wordsIn(
      pages
        .join(" ")
        .replace(/<[^<>]*>/g, " ")
        .replace(/&#?\w{1,8};/g, " "),
    ).join(" ")} `;
    return chapters.every(({ words }) => {
      const middle = Math.floor((words.length - SAMPLE_WORDS) / 2);
      return has.includes(` ${words.slice(middle, middle + SAMPLE_WORDS).join(" ")} `);
    });
  } catch {
    return false;
  }
}

/** Of a zip, by its directory. */
function entriesOf(bytes) {
  const end = bytes.lastIndexOf("PK\u0005\u0006");
  if (end < 0) return [];
  const entries = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, size, offset] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 42),
    ];
    const [name, extra, comment] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place));
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const data = bytes.subarray(start, start + size);
    const read = () => (method === 0 ? data : inflateRawSync(data, { maxOutputLength: EPUB_BYTES })).toString("utf8");
    entries.push({ name: bytes.toString("utf8", at + 46, at + 46 + name), read });
    at += 46 + name + extra + comment;
  }
  return entries;
}

const asked = JSON.parse(await text(process.stdin));
console.log(`\n${asked.nonce} ${JSON.stringify(asked.entries.map(outcomeOf))}`);
