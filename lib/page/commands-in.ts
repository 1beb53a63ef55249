/** The commands in a sentence that says what to do next, apart from its words. Pure. */

export interface Piece {
  says: string;
  isCommand: boolean;
}

/** Its name, then ids, options and what they are given; the sentence may go on after it. */
const COMMAND = /(l2mac [a-z]+(?: (?:[0-9A-Z]{6}\b|--[a-z-]+|\d[\d.]*\b|> [\w-]+\.md|[\w-]+\.md))*)/;

/** `typed`: how this command is typed where the page was opened, as its server knows. */
export const commandsIn = (sentence: string, typed = "l2mac"): Piece[] =>
  sentence
    .split(COMMAND)
    .map((says, index) => ({ says, isCommand: index % 2 === 1 }))
    .map(({ says, isCommand }) => ({ says: isCommand ? says.replace("l2mac", typed) : says, isCommand }))
    .filter(({ says }) => says !== "");
