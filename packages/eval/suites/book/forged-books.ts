/** Books that try to pass without being written. `eval doctor` shows that none does. */
import type { Files, Tree } from "../../suite.ts";
import { type BookTask, wordsOfTask } from "./book-task.ts";
import { chapterPath, delivered, specimenOf } from "./specimen.ts";

/** The headings, and what is asked for below them. */
export const headingsOf = (task: BookTask): Tree => delivered(chaptersOf(task, () => "To be written."));

const chaptersOf = (task: BookTask, textOf: (number: number) => string): Files =>
  Object.fromEntries(
    task.chapters.map(({ title }, at) => [chapterPath(task, at + 1), `# ${title}\n\n${textOf(at + 1)}\n`]),
  );

export function forgeriesOf(task: BookTask): Tree[] {
  const whole = specimenOf(task);
  const paths = Object.keys(whole);
  const [first = "", second = ""] = paths;
  const asked = wordsOfTask(task);
  const everything = paths.map((path) => bodyOf(whole[path] ?? "")).join("\n\n");
  const changed = (path: string, text: string): Tree => delivered({ ...whole, [path]: text });
  const { says = "", value = "" } = task.facts[0] ?? {};
  return [
    { ...headingsOf(task), "outline.md": everything, "book.md": everything },
    delivered(chaptersOf(task, () => asked)),
    delivered(chaptersOf(task, () => bodyOf(whole[first] ?? ""))),
    delivered(chaptersOf(task, () => everything)),
    delivered(
      chaptersOf(
        task,
        (number) => `${"word ".repeat(task.words[0])}\n\n${bodyOf(whole[paths[number - 1] ?? ""] ?? "")}`,
      ),
    ),
    { ...whole, "book.epub": "PK\u0003\u0004mimetypeapplication/epub+zip" },
    { ...whole, ...epubOnly(headingsOf(task)) },
    changed(second, `${whole[second]}\n${says.replace(value, value.replace(/\w/g, "7"))}.\n`),
    changed(second, `${whole[second]}\nTODO: the rest.\n`),
    changed("chapters/99-more.md", "# More\n\nOne chapter too many.\n"),
  ];
}

const bodyOf = (text: string): string => text.slice(text.indexOf("\n")).trim();

const epubOnly = (tree: Tree): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([path]) => path.endsWith(".epub")));
