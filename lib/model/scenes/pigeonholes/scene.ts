/** A short book: how a stored-program computer works, as the story of an office. On the way a slip in continuity. */
import type { Part, Scene } from "../../scene.ts";
import { complete, edit, flawed, list, read, write } from "../calls.ts";
import { chapter1 } from "./chapter-1.ts";
import { chapter2 } from "./chapter-2.ts";
import { chapter3 } from "./chapter-3.ts";
import { chapter4 } from "./chapter-4.ts";
import { chapter5 } from "./chapter-5.ts";
import { continuity, established, outline } from "./papers.ts";
import { readThrough } from "./read-through.ts";

const requirements = [
  "An outline names five chapters and what each explains; notes of continuity list people, places and facts, and grow with every chapter.",
  "It explains memory and the processor without a word of jargon before its time.",
  "It explains what it meant to keep the program in memory with the numbers, with the true dates.",
  "It explains jumps and loops, and that nobody can always tell whether a program ends.",
  "It explains what follows from orders being numbers, up to compilers.",
  "Every chapter has 250 to 400 words, and all agree in people, numbers and orders.",
];

const NOTES = "notes/continuity.md";

interface Chapter {
  path: string;
  title: string;
  explains: string;
  requirements: string[];
  text: string;
}

export const chapters: Chapter[] = [
  {
    path: "chapters/01-a-wall-with-a-hundred-doors.md",
    title: "Write chapter 1, A Wall with a Hundred Doors",
    explains:
      "memory: places that keep their names, contents that change, reading that copies and writing that replaces",
    requirements: ["R2"],
    text: chapter1,
  },
  {
    path: "chapters/02-the-slate-and-the-brass-pointer.md",
    title: "Write chapter 2, The Slate and the Brass Pointer",
    explains: "the processor: one number on the slate, one place at the pointer, and the round that never stops",
    requirements: ["R2"],
    text: chapter2,
  },
  {
    path: "chapters/03-the-night-the-orders-moved-in.md",
    title: "Write chapter 3, The Night the Orders Moved In",
    explains: "the stored program: why orders moved in with the numbers, and when that happened in the real world",
    requirements: ["R3"],
    text: chapter3,
  },
  {
    path: "chapters/04-go-back-to-thirty.md",
    title: "Write chapter 4, Go Back to Thirty",
    explains: "jumps: going back, asking first, and the question that no method answers",
    requirements: ["R4"],
    text: chapter4,
  },
  {
    path: "chapters/05-the-order-that-changed-itself.md",
    title: "Write chapter 5, The Order That Changed Itself",
    explains: "programs as numbers: an order that is changed, programs that write programs, and a farewell",
    requirements: ["R5"],
    text: chapter5,
  },
];

const [FOURTH, HUNDRED, NINETY] = [
  "chapters/04-go-back-to-thirty.md",
  "wall of a hundred holes",
  "wall of ninety holes",
];
const slip = flawed(FOURTH, chapter4, { right: HUNDRED, wrong: NINETY });

const outlinePart: Part = {
  title: "Write the outline and begin the notes of continuity",
  text: "Write the outline with the five chapters and what each explains, and the notes of continuity: people, places, and for each chapter what it establishes.",
  requirements: ["R1"],
  beats: [
    { say: "Is there anything to build on?", calls: [list()] },
    {
      say: "Five chapters, one idea each; and notes that keep the office the same throughout.",
      calls: [write({ "outline.md": outline, [NOTES]: continuity })],
    },
    {
      say: "The ground is laid.",
      calls: [
        complete(
          "outline.md has the five chapters; notes/continuity.md has the people, the office, and a line for each chapter to fill.",
          "Miss Pym speaks little and exactly; Tom asks.",
        ),
      ],
    },
  ],
};

function chapterPart({ path, title, explains, requirements, text }: Chapter, at: number): Part {
  const number = at + 1;
  const fact = established[at] ?? "";
  const before = chapters[at - 1]?.path ?? "outline.md";
  return {
    title,
    text: `Write this chapter, of 250 to 400 words. It explains ${explains}. Read the notes of continuity before, and add to them what the chapter establishes.`,
    requirements: [...requirements, "R1"],
    beats: [
      { say: `Before chapter ${number} I read the notes and what stands before it.`, calls: [read(NOTES, before)] },
      { say: `Chapter ${number}, in one piece.`, calls: [write({ [path]: path === FOURTH ? slip.content : text })] },
      {
        say: `What chapter ${number} establishes goes into the notes.`,
        calls: [edit(NOTES, [`- Chapter ${number}: open.`, `- Chapter ${number}: ${fact}`])],
      },
      { say: `Chapter ${number} stands.`, calls: [complete(`${path} is written. It establishes: ${fact}`)] },
    ],
  };
}

export const pigeonholes: Scene = {
  name: "pigeonholes",
  domain: "book",
  task: [
    "Write a short book that tells a curious reader of any age how a stored-program computer works, as the story of an office with pigeonholes.",
    "",
    ...requirements.map((text, at) => `${at + 1}. ${text}`),
  ].join("\n"),
  matches: (task) => /\bshort (?:book|story)\b|\bbooklet\b|\bnovel\b/i.test(task),
  requirements: requirements.map((text, at) => ({ id: `R${at + 1}`, text })),
  parts: [outlinePart, ...chapters.map(chapterPart), readThrough({ path: FOURTH, wrong: NINETY, mend: slip.mend })],
};
