import { describe, expect, it } from "vitest";
import { instructionBudget, wordBudgetOf } from "./word-budget.ts";

describe("the word budget of an instruction", () => {
  it.each<[string, { least?: number; most?: number }]>([
    ["Write chapter 3, about 3,000 words.", { least: 2_250, most: 6_000 }],
    ["Write a 2000-word chapter on bees.", { least: 1_500, most: 4_000 }],
    ["Length: 1 200 words", { least: 900, most: 2_400 }],
    ["Some 2.5k words on the sea.", { least: 1_875, most: 5_000 }],
    ["Write the chapter; at least 2,000 words.", { least: 1_900 }],
    ["No fewer than 2000 words", { least: 1_900 }],
    ["800 words or more", { least: 760 }],
    ["Keep it under 500 words.", { most: 525 }],
    ["It has 900 words at most.", { most: 945 }],
    ["Between 1,000 and 1,500 words.", { least: 950, most: 1_575 }],
    ["Write this chapter, of 250 to 400 words. It explains memory.", { least: 237, most: 420 }],
    ["(1000–1500 words)", { least: 950, most: 1_575 }],
    ["Chapter 4, about 3,000 words. Stay near 3,000 words.", { least: 2_250, most: 6_000 }],
    ["Extend chapter 1 to 3,000 words.", { least: 2_250, most: 6_000 }],
    ["Write chapter 3: The Sea (about 3,000 words)", { least: 2_250, most: 6_000 }],
    ["Word budget: 3,000 words", { least: 2_250, most: 6_000 }],
    ["Its word budget is 3,000 words.", { least: 2_250, most: 6_000 }],
    ["Word budget: 3,000–3,500 words", { least: 2_850, most: 3_675 }],
    ["(word budget 3,000 words)", { least: 2_250, most: 6_000 }],
    ["The chapter should have 2,000 words.", { least: 1_500, most: 4_000 }],
  ])("is read from %j", (text, expected) => {
    expect(wordBudgetOf(text)).toEqual(expected);
  });

  it.each([
    "Write chapter 3.",
    "The book has 60,000 words altogether; mend chapter 3.",
    "Every chapter has 250 to 400 words.",
    "Write chapters 4 and 5, 2,000 words each.",
    "Begin with a 30-word epigraph.",
    "Chapter 4 has 2,000 words. Chapter 5 has 3,000 words.",
    "Bring each chapter to its budget.",
    "Use the words of 1,000 people.",
    "The opening scene takes about 800 words.",
    "Extend chapter 1 by 300 words.",
    "Expand chapter 2 by at least 500 words.",
    "Add 400 words to chapter 2.",
    "Lengthen chapter 2 by another 400 words.",
    "Write 500 more words for chapter 2.",
    "Extend chapter 1 by 1,000 to 2,000 words.",
    "Explain why the 1000 words limit matters.",
    "The competition demands 500 words from Anna.",
    "In it the editor asks for at least 500 words.",
    "Write chapter 2: Anna learns 500 words of Greek.",
    "Write about Anna, who must hand in 500 words.",
    "Anna must write 500 words by dawn.",
    "The dictionary knows 1,000 words about snow.",
  ])("is not guessed from %j", (text) => {
    expect(wordBudgetOf(text)).toBeUndefined();
  });

  it("is that of its field, where it has one", () => {
    const text = "Write chapter 3, about 3,000 words.";
    expect(instructionBudget({ text, words: { least: 1_000, most: 2_000 } })).toEqual({ least: 950, most: 2_100 });
    expect(instructionBudget({ text: "Write chapter 3.", words: { least: 1_000 } })).toEqual({ least: 950 });
    expect(instructionBudget({ text })).toEqual({ least: 2_250, most: 6_000 });
  });
});
