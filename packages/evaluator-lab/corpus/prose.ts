/** Small books: healthy ones, hard ones that are healthy all the same, and each fault that a reader would stumble over. */
import { type Label, lines, type Project } from "./project.ts";

const sound: Label = { syntax: "passed: prose", tests: "not_run: not_asked" };
const faulty = (...findings: string[]): Label => ({ syntax: "failed: prose", tests: "not_run: not_asked", findings });

const ferry =
  "The ferry left at six, as it had left every morning since the war, with two cars, a van full of bread and the schoolteacher, who stood at the rail and counted the gulls aloud. No one asked her why she did it, and she had long ago stopped waiting for somebody to ask.";
const harbour =
  "On the far side the harbour lay under a fog so thick that the lamp on the mole was no more than a stain. Old Brandt heard the engine before he saw anything, put down his cup, and went out to take the rope that no one would throw to him.";
const market =
  "By noon the market had moved under the arches because of the rain. Fish lay on one side, books on the other, and between them a boy sold umbrellas that he had found on trains; he knew the story of each, or made one up while he opened it.";
const song = [
  "Row, brother, row to the grey of the morning,  ",
  "Row till the bells of the island are near,  ",
  "Row past the rocks where the widows were calling,  ",
  "Row, for the tide will not carry us here;  ",
  "Row till the lamp on the mole is a window,  ",
  "Row till the window is somebody's door,  ",
  "Row, brother, row, for the night is behind us,  ",
  "Row, and we shall not go rowing any more.",
];

const chapter = (title: string, ...paragraphs: string[]): string => `# ${title}\n\n${paragraphs.join("\n\n")}\n`;

export const proseProjects: Project[] = [
  {
    name: "prose: a book in three chapters",
    kind: "prose",
    files: {
      "outline.md": lines(
        "# Outline",
        "",
        "1. **The Ferry**: [chapter](chapters/01-ferry.md)",
        "2. **The Harbour**",
        "3. **The Market**",
      ),
      "notes/continuity.md": lines("TODO: the boy's name", "", ferry, "", ferry),
      "chapters/01-ferry.md": chapter("The Ferry", ferry),
      "chapters/02-harbour.md": chapter(
        "The Harbour",
        harbour,
        "It was the ferry of [the first chapter](01-ferry.md#the-ferry).",
      ),
      "chapters/03-market.md": chapter("The Market", market),
      "README.md": chapter("A Book", "Begin with [the ferry](chapters/01-ferry.md)."),
    },
    label: sound,
  },
  {
    name: "prose: a song that returns, a motto and an example",
    kind: "prose",
    files: {
      "chapters/1.md": chapter("One", `> ${harbour}`, ferry, song.join("\n"), `\`\`\`\n${market}\n\`\`\``),
      "chapters/2.md": chapter("Two", `> ${harbour}`, song.join("\n"), market, `\`\`\`\n${market}\n\`\`\``),
    },
    label: sound,
  },
  {
    name: "prose: a robot that speaks as robots do",
    kind: "prose",
    files: {
      "chapters/1.md": chapter(
        "One",
        "“As an AI language model,” said the robot, “I have no opinion of the sea.”",
        ferry,
        "To be continued.",
      ),
    },
    label: sound,
  },
  {
    name: "prose: a chapter of the length that was asked for",
    kind: "prose",
    words: { least: 100, most: 200 },
    files: { "chapters/1.md": chapter("One", ferry, harbour, market) },
    label: sound,
  },
  {
    name: "prose: a chapter that is too short",
    kind: "prose",
    words: { least: 1_500, most: 4_000 },
    files: { "chapters/1.md": chapter("One", ferry, harbour, market) },
    label: faulty("chapters/1.md:undefined words"),
  },
  {
    name: "prose: a chapter that is too long, beside one that was there",
    kind: "prose",
    words: { most: 60 },
    before: { "chapters/1.md": chapter("One", ferry) },
    files: { "chapters/1.md": chapter("One", ferry), "chapters/2.md": chapter("Two", harbour, market) },
    label: faulty("chapters/2.md:undefined words"),
  },
  {
    name: "prose: a paragraph repeated in two chapters",
    kind: "prose",
    files: { "chapters/1.md": chapter("One", ferry, harbour), "chapters/2.md": chapter("Two", market, harbour) },
    label: faulty("chapters/2.md:5 repeated"),
  },
  {
    name: "prose: a paragraph repeated in a chapter",
    kind: "prose",
    files: { "chapters/1.md": chapter("One", ferry, harbour, ferry) },
    label: faulty("chapters/1.md:7 repeated"),
  },
  {
    name: "prose: what the author says to the client",
    kind: "prose",
    files: {
      "chapters/1.md": `Here is the first chapter:\n\n${chapter("One", ferry, "[Continued in the next part]")}`,
      "chapters/2.md": chapter("Two", harbour, "**Word count: 1,203**"),
      "chapters/3.md": chapter("Three", "As an AI language model, I cannot smell fish.", market),
      "chapters/4.md": chapter("Four", "In this instruction we follow the boy.", '{"tool": "complete_instruction"}'),
    },
    label: faulty(
      "chapters/1.md:1 meta",
      "chapters/1.md:7 meta",
      "chapters/2.md:5 meta",
      "chapters/3.md:3 meta",
      "chapters/4.md:3 meta",
      "chapters/4.md:5 meta",
    ),
  },
  {
    name: "prose: places that are still to be filled in",
    kind: "prose",
    files: {
      "chapters/1.md": chapter(
        "One",
        ferry,
        "The island was called [TODO: name].",
        "[The rest of the chapter remains unchanged]",
      ),
    },
    label: faulty("chapters/1.md:5 meta", "chapters/1.md:7 meta"),
  },
  {
    name: "prose: what was accepted before is not judged again",
    kind: "prose",
    before: { "chapters/1.md": chapter("One", ferry, ferry, "TODO: the end") },
    files: { "chapters/1.md": chapter("One", ferry, ferry, "TODO: the end"), "chapters/2.md": chapter("Two", harbour) },
    label: sound,
  },
];
