/** How many there are, as records have it. */
import * as z from "zod";

export const count = z.int().nonnegative();
