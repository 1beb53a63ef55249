/** A book that passes all checks of its task: words by chance, with all that is asked for between them. */
import { createScreenBook } from "../../../book/index.ts";
import { bytesOf } from "../../case-files.ts";
import type { Files, Tree } from "../../suite.ts";
import { createChance } from "../context/chance.ts";
import type { BookTask } from "./book-task.ts";

const SENTENCE_WORDS = 12;
const PARAGRAPH_SENTENCES = 5;

export function specimenOf(task: BookTask): Files {
  const { word } = createChance(task.title);
  const [least, most] = task.words;
  const wanted = (least + most) / 2;
  return Object.fromEntries(
    task.chapters.map(({ title }, at) => {
      const asked = [...passagesOf(task, at + 1), ...referencesOf(task, at + 1)];
      const missing = wanted - asked.join(" ").split(/\s+/).length;
      const text = [`# ${title}`, ...paragraphsOf(word, missing), ...asked].join("\n\n");
      return [chapterPath(task, at + 1), `${text}\n`];
    }),
  );
}

export function chapterPath({ chapters }: BookTask, number: number): string {
  const name = (chapters[number - 1]?.title ?? "").toLowerCase().replace(/[^a-z]+/g, "-");
  return `chapters/${String(number).padStart(2, "0")}-${name}.md`;
}

/** With the EPUB that the machine delivers for it. */
export const delivered = (files: Files): Tree => {
  const made = createScreenBook({
    name: "book",
    title: "A book",
    id: "specimen",
    forms: ["epub"],
    files: bytesOf(files),
  });
  return { ...files, ...Object.fromEntries(made.map(({ path, content }) => [path, content ?? ""])) };
};

function paragraphsOf(word: () => string, words: number): string[] {
  const sentences = Array.from({ length: Math.ceil(words / SENTENCE_WORDS) }, () => {
    const text = Array.from({ length: SENTENCE_WORDS }, word).join(" ");
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  });
  const count = Math.ceil(sentences.length / PARAGRAPH_SENTENCES);
  return Array.from({ length: count }, (_, at) =>
    sentences.slice(at * PARAGRAPH_SENTENCES, (at + 1) * PARAGRAPH_SENTENCES).join(" "),
  );
}

/** What the chapter says word for word. */
function passagesOf({ chapters, facts, glossary }: BookTask, number: number): string[] {
  const says = chapters[number - 1]?.says ?? [];
  const own = facts.filter(({ chapters: where }) => where.includes(number)).map((fact) => fact.says);
  const terms = glossary && glossary.chapter !== number && number === 1 ? glossary.terms : [];
  return [...says, ...own].map((each) => `As all know, ${each}.`).concat(terms.map((term) => `Here is a ${term}.`));
}

function referencesOf(task: BookTask, number: number): string[] {
  const { links, glossary, table, chapters } = task;
  const own = links.filter(([from]) => from === number);
  const lines = own.map(
    ([, to]) => `More is in [${chapters[to - 1]?.title}](${chapterPath(task, to).replace("chapters/", "")}).`,
  );
  const terms = glossary?.chapter === number ? glossary.terms.map((term) => `**${term}** is explained here.`) : [];
  return [...lines, ...terms, ...(table?.chapter === number ? [tableOf(table.rows)] : [])];
}

function tableOf(rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.join(" | ")} |`;
  const [first = []] = rows;
  return [line(first.map(() => "What")), line(first.map(() => "---")), ...rows.map(line)].join("\n");
}
