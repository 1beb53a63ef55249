/** Chapter 2 of the booklet. */
import { source } from "../source.ts";

export const chapter2 = source`
# 2. The Slate and the Brass Pointer

On a desk before the wall lay a slate with room for exactly one number. It was the only place in the office where
anything was ever worked out. Numbers could be copied from a hole to the slate, added to the slate, taken away from it,
and copied from the slate back to a hole; and that, said Miss Pym, was arithmetic enough for a county.

Beside the slate, on a rail, ran a brass pointer. It stood at some number between 00 and 99.

"I look where it points," she said, "and I go to that hole and fetch the slip. I move the pointer on by one, before I
forget. I read what the slip orders. I do it. Then I look where the pointer stands."

"And then?"

"There is no *then*. That is all I do. It is simply that I never stop doing it."

The orders were four figures long, like everything in the office. The first two said what to do, and the last two said
with which hole. A card over the desk gave the whole language, and Tom had it by heart before the tea was cold:

- 10, copy that hole to the slate;
- 11, copy the slate to that hole;
- 12, add that hole to the slate;
- 13, take that hole from the slate;
- 00, stop.

So 1050, 1251, 1152 and 0000, one after the other, meant: take what is in 50, add what is in 51, put the sum into 52,
stop. Tom worked it through with 0365 and 0001, moving the pointer himself, and found 0366 in hole 52 just as if
somebody clever had been there.

"But nobody was," he said slowly. "You only ever know about one slip."

"One slip, one slate and one pointer," said Miss Pym. "Take away everything in my head but those, and the office will
run on. Lose the pointer, and you may as well go home."

Years later Tom learned that the slate is called an accumulator and the pointer a program counter, and that the little
round of fetching, moving on, reading and doing is what goes on inside every computer, some billions of times in the
second it takes to say so.
`;
