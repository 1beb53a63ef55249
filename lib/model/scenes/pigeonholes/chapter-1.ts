/** Chapter 1 of the booklet. */
import { source } from "../source.ts";

export const chapter1 = source`
# 1. A Wall with a Hundred Doors

In the attic of the town hall of Amberley there was an office with a single wall worth looking at. It was made of
pigeonholes, ten rows of ten, and over each a brass number was screwed to the wood: 00 at the top left, 99 at the bottom
right. Miss Pym had charge of it. She was a small, exact woman who wore her pencil behind her ear and her opinions
nowhere.

"Every hole holds one slip," she told Tom on his first morning, "and every slip holds one number. Four figures and a
sign. No more will fit."

Tom, who was eleven and had been sent up to be useful, looked for the catch. "So hole 20 has the number twenty in it?"

"Hole 20 has whatever was last put into it." She drew out the slip and showed him: 0365. "The brass says where. The
paper says what. Nine of ten mistakes in this office are made by people who confuse the two."

He was given the rules, which were three. To *read* a hole was to copy its number down; the slip stayed where it was,
and could be read a thousand times without growing thinner. To *write* a hole was to put a new slip in and drop the old
one into the stove, from which nothing ever came back. And every hole was as near as every other: hole 73 took Miss Pym
no longer than hole 04, because she had a ladder on wheels and very firm views on pushing it.

"What do the numbers mean?" asked Tom.

"Mean?" She considered it. "Hole 20 is the days of the year, if the almanac says so. It might be a price, or the
height of the church in hands. The wall does not know. The wall keeps; knowing is done elsewhere."

Tom pushed the ladder to and fro that day until his arms ached, and that evening he told his mother that he had been
put in charge of a memory. It was, he explained, a great deal of places with names that never changed, holding a great
deal of things that did.
`;
