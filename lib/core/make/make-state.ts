/** On the record of a run that takes over steps of another run. */
import * as z from "zod";

const instruction = z.int().nonnegative();

export const MakeState = z.object({
  /** The other run. */
  from: z.string(),
  strict: z.literal(true).optional(),
  /** So many steps cost nothing by the plan, which the price of the others goes by. */
  taken: instruction.optional(),
  /** The instruction of which no step could be taken over. */
  executes: instruction.optional(),
  /** The instruction whose checks began too late in an invocation: they begin once more in the next. */
  late: instruction.optional(),
});
