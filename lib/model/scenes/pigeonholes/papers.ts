/** What stands beside the chapters of the booklet: outline, notes and README. */
import { source } from "../source.ts";

export const outline = source`
# The Office of Pigeonholes

A booklet in five chapters on how a stored-program computer works, told as the story of an office that works like one.

1. **A Wall with a Hundred Doors**: memory. Places and contents; reading copies, writing replaces.
2. **The Slate and the Brass Pointer**: the processor. One number at a time; fetch, move on, read, do.
3. **The Night the Orders Moved In**: the stored program. From the board of hooks into the wall; 1945 and 1948.
4. **Go Back to Thirty**: jumps. Loops, the order that asks first, and what cannot be known beforehand.
5. **The Order That Changed Itself**: programs as numbers. Walking along a table; compilers; a farewell.
`;

export const continuity = source`
# Continuity

## People and places

- Miss Pym: clerk, small, exact, a pencil behind her ear. Never says more than she knows.
- Tom: eleven at the beginning; pushes the ladder, asks the questions.
- Mr Ashdown: founder of the office; comes up seldom, with a lamp.
- The office: attic of the town hall of Amberley; a wall of one hundred pigeonholes, 00 to 99.

## Established by chapter

- Chapter 1: open.
- Chapter 2: open.
- Chapter 3: open.
- Chapter 4: open.
- Chapter 5: open.
`;

/** What each chapter adds to the notes. */
export const established = [
  "A slip holds four figures and a sign. Reading copies, writing replaces; the old slip goes into the stove. The wall does not know what numbers mean.",
  "One slate, one pointer. Orders: 10 copy to slate, 11 copy to hole, 12 add, 13 take away, 00 stop. The pointer moves on before the order is done.",
  "Orders hung on a board outside before; since the night with the lamp they are slips in the wall. Tom loads a box of slips.",
  "Orders: 14 set the pointer, 15 set it if the slate is below nought. The loop begins at hole 30, the count is in hole 60.",
  "The loaves begin at hole 61; the order in hole 31 is changed by adding one. Miss Pym retires; Tom has the pencil.",
];

export const readmeFile = source`
# The Office of Pigeonholes

How a stored-program computer works, told in five short chapters: read them in order, beginning with
\`chapters/01-a-wall-with-a-hundred-doors.md\`. \`outline.md\` says what each is about.

This booklet was delivered by the rehearsal of L2MAC from a prepared script, not written by a language model: it
shows how a run goes.
`;
