/** The last part of the booklet: a reading for continuity, and the README. */
import type { Beat, Part } from "../../scene.ts";
import { complete, read, search, write } from "../calls.ts";
import { readmeFile } from "./papers.ts";

/** The slip that the reading finds: in `path` stands `wrong`. */
export const readThrough = (slip: { path: string; wrong: string; mend: Pick<Beat, "calls" | "instead"> }): Part => ({
  title: "Read it through and introduce it",
  text: "Read the chapters against the notes of continuity, numbers above all, and put right what disagrees. Then write the README that introduces the book.",
  requirements: ["R6"],
  firstDraft: { text: "Write the README that introduces the book.", requirements: [] },
  beats: [
    { say: "How large is the wall, chapter by chapter?", calls: [search("ninety|hundred", "chapters/*.md")] },
    { say: "The notes say one hundred. I read the chapter that disagrees.", calls: [read(slip.path)] },
    { say: `There: a ${slip.wrong}. The wall has a hundred.`, ...slip.mend },
    { say: "Now all agree, and the book can be introduced.", calls: [write({ "README.md": readmeFile })] },
    {
      say: "The book is complete.",
      calls: [complete("All five chapters agree with the notes; README.md introduces the book.")],
    },
  ],
});
