/** Chapter 3 of the booklet. */
import { source } from "../source.ts";

export const chapter3 = source`
# 3. The Night the Orders Moved In

The orders had not always lived in the wall. When Mr Ashdown founded the office they hung on a board outside the door,
each on its own hook, and Miss Pym leaned out to read them. The board was quick to read and dreadful to change. When the
rates had been reckoned and the harvest was to be counted, two men came with ladders, took down every hook, and hung up
others. It took them most of a week, and the wall stood idle.

One evening Mr Ashdown came up with a lamp and stood for a long time between the board and the wall.

"Miss Pym," he said, "an order has four figures."

"It has, sir."

"So has everything in your pigeonholes. If a slip said 1251, how would you know whether it was an order or the price
of a cow?"

"By why I fetched it. If the pointer sent me, it is an order. If an order sent me, it is a number."

"Then take the board down," said Mr Ashdown. "Put the orders in with the numbers. To change the work we shall only have
to change the slips, and that you do all day."

It was done before midnight. The next morning's harvest was laid in by Tom in a quarter of an hour, from a box of slips
on which somebody had written *Harvest*. He had, without noticing, loaded a program.

The real world took the same step in a few crowded years. The ENIAC of 1945 was set up for each new problem with cables
and switches, which could take days. In June of that year a report that went round under John von Neumann's name, drawing
on work with Eckert, Mauchly and others, described a machine that would keep its orders in memory with its numbers. On
21 June 1948, at Manchester, a machine nicknamed the Baby first ran such a program. It had thirty-two places of memory,
and it searched fifty-two minutes for the greatest proper factor of two to the eighteenth. The answer was right.
`;
