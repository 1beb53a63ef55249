/** The figures of the source itself, beside the limits that the house test holds. */
import { houseNumbers } from "../test/house-numbers.ts";
import type { Row } from "./table.ts";

export const house = async (): Promise<Row[]> =>
  houseNumbers().map(({ what, figure, limit }) => ({
    what,
    figure: figure.toLocaleString("en"),
    aim: `≤ ${limit.toLocaleString("en")}`,
    reached: figure <= limit,
  }));
