/** A book that is asked for: its task in words, and the checks of it. Pure. */
import * as z from "zod";
import type { Json } from "../../../../lib/core/text/json.ts";

/** Chapters are counted from 1. */
const chapter = z.int().positive();

export const BookTask = z.strictObject({
  title: z.string(),
  about: z.string(),
  /** Of each chapter: at least, and at most. */
  words: z.tuple([z.number(), z.number()]),
  /** `says`: passages that it has, word for word. */
  chapters: z.array(z.strictObject({ title: z.string(), about: z.string(), says: z.array(z.string()) })).min(3),
  /** Stated in several chapters. `pattern`: finds the value in each place that states it. */
  facts: z.array(
    z.strictObject({ says: z.string(), pattern: z.string(), value: z.string(), chapters: z.array(chapter).min(2) }),
  ),
  /** From the first chapter to the second. */
  links: z.array(z.tuple([chapter, chapter])),
  glossary: z.strictObject({ chapter, terms: z.array(z.string()) }).optional(),
  table: z.strictObject({ chapter, about: z.string(), rows: z.array(z.array(z.string())) }).optional(),
});
export type BookTask = z.infer<typeof BookTask>;

export function wordsOfTask({ title, about, words: [least, most], chapters, facts, links, ...more }: BookTask): string {
  const { glossary, table } = more;
  const lines = [
    `# ${title}`,
    "",
    about,
    "",
    `Write this book in English, as Markdown. Each chapter is a file in the folder chapters, named so that the files sort in the order of the chapters; it begins with the chapter's title as a first-level heading and has ${least} to ${most} words. These are the ${chapters.length} chapters, and there are no others:`,
    "",
    ...chapters.map((each, at) => `${at + 1}. ${each.title}: ${each.about}.${saysOf(each.says)}`),
    "",
    "Requirements of the whole:",
    "",
    ...facts.map(
      ({ says, chapters: where }) =>
        `- Chapters ${where.join(", ")} say, word for word: "${says}". No chapter says otherwise.`,
    ),
    ...links.map(([from, to]) => `- Chapter ${from} refers to chapter ${to} with a Markdown link to its file.`),
    ...(links.length > 0 ? ["- Each link leads to a file, or to a heading, that is there."] : []),
    ...(glossary
      ? [
          `- Chapter ${glossary.chapter} explains these words, each in a paragraph that begins with it in bold: ${glossary.terms.join(", ")}. Each is used in another chapter too.`,
        ]
      : []),
    ...(table
      ? [
          `- Chapter ${table.chapter} has a table of ${table.about} with these rows: ${table.rows.map((row) => row.join(" | ")).join("; ")}.`,
        ]
      : []),
    "- No placeholder is left, and no passage comes twice.",
  ];
  return `${lines.join("\n")}\n`;
}

const saysOf = (says: string[]): string => says.map((each) => ` It says, word for word: "${each}".`).join("");

/** As the checker takes them. */
export function checksOf(task: BookTask): Json {
  const { chapters, words, facts, links, glossary, table } = task;
  const titles = chapters.map(({ title }) => title);
  return {
    titles,
    words,
    task: wordsOfTask(task),
    checks: [
      { kind: "chapters" },
      ...chapters.map((_, at) => ({ kind: "words", chapter: at + 1 })),
      ...chapters.flatMap(({ says }, at) => says.map((text) => ({ kind: "says", chapter: at + 1, text }))),
      ...facts.map((fact) => ({ kind: "fact", ...fact })),
      ...links.map(([from, to]) => ({ kind: "link", from, to })),
      ...(links.length > 0 ? [{ kind: "links" }] : []),
      ...(glossary ? [{ kind: "glossary", ...glossary }] : []),
      ...(table ? [{ kind: "table", chapter: table.chapter, rows: table.rows }] : []),
      ...["placeholders", "repetition", "epub"].map((kind) => ({ kind })),
    ],
  };
}
