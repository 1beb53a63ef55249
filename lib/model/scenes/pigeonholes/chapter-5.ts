/** Chapter 5 of the booklet. */
import { source } from "../source.ts";

export const chapter5 = source`
# 5. The Order That Changed Itself

The price of every loaf lay in a box that Tom fed into the wall, thirty slips at a time, in holes 61 to 90. The order
that added one said 1261: add hole 61 to the slate. On the next round it should say 1262, and then 1263. Tom had begun
to write out thirty such orders and was looking for more ink when he stopped.

"Miss Pym. The order is in hole 31. It is a number."

"It is both. We settled that."

"Then add one to it."

She looked at the wall for some while. Then she did what the slips now told her: she copied hole 31 to the slate, added
one from the hole where a one was kept, and wrote 1262 back into hole 31. The pointer came round to it. It was an order
again, and a different one. The program had walked along the wall by itself, rewriting the sign it walked by.

The first programmers did just this, until machines were given a register that counts along without touching the order.
But the idea behind it never went away. If orders are numbers, then programs can be copied, sent by wire and kept in a
drawer. They can be read and written by other programs. A compiler is nothing else: it takes slips that people find easy
to write, and makes of them slips that Miss Pym can follow. And because a wall cannot tell a good order from a bad one, a
stranger's box of slips should be opened with care. That is true of boxes to this day.

On the evening before she retired, Miss Pym let Tom have the pencil.

"I have done some millions of orders," she said, "and I never understood one of the sums. I only did the next thing,
exactly. You would be surprised how far that goes."

Tom set the pointer to 00, where the first order of the morning would be waiting, and put out the lamp. Behind him in the
dark the wall kept everything: what to do and what to do it with, side by side, each on its slip of paper, and nobody but
the pointer to say which was which.
`;
