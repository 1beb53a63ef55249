/** Chapter 4 of the booklet. */
import { source } from "../source.ts";

export const chapter4 = source`
# 4. Go Back to Thirty

"Suppose," said Tom, "that the baker's bill is to be added up, and there are four hundred loaves. That is four hundred
orders, and we have only a wall of a hundred holes."

Miss Pym took the pencil from behind her ear and wrote a new line on the card over the desk:

- 14, set the pointer to that number.

Tom saw it at once, and it made him laugh aloud. The pointer always moved on by one, so that the work ran straight down
the wall like rain. But an order could take hold of the pointer itself. Put 1430 at the end of a column, and the work
went back to hole 30 and ran down again: add a loaf, go back, add a loaf, go back. Four orders would do for four hundred
loaves, or for four million.

They tried it after lunch. It worked beautifully. It was still working when the church clock struck four, and at five
Miss Pym, somewhat grey, was adding loaves that nobody had baked.

"It does not know when it is done," said Tom, and stopped her by the sleeve.

So the card got one line more, and this was the line that mattered:

- 15, set the pointer to that number, but only if the slate is below nought; otherwise go on as usual.

Now they kept a count in hole 60, and took one from it on each round. While there were loaves left, the slate stayed at
nought or above; when there were none, it slipped below, the pointer jumped away to the end, and Miss Pym could sit
down. An order that asked before it jumped: out of that small *if* all their later cleverness was made, the sorting of
the tax rolls, the calendar, even the game of draughts that Mr Ashdown was not told about.

"Could one look at the slips beforehand," asked Tom, "and always tell whether the work will end?"

"No," said Miss Pym, and would not say more. She was right. Alan Turing proved in 1936 that no method can tell it for
every program there is.
`;
