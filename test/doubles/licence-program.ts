/** The part of a program that asks a person, chooses by the answer, and goes round until a file is there. */
export const LICENCE_AND_ROUNDS = [
  { kind: "ask", question: "Which licence?", saveTo: "LICENSE" },
  {
    kind: "if",
    condition: { file: "LICENSE", matches: "MIT" },
    // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
    then: [{ title: "Name MIT", text: "write licence.txt MIT" }],
    else: [{ title: "Name another", text: "write licence.txt other" }],
  },
  {
    kind: "repeat",
    until: { file: "round.txt", exists: true },
    atMost: 3,
    body: [{ title: "Go round", text: "write round.txt again" }],
  },
];
