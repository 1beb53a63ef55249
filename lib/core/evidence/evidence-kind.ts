/** The values of `--evidence`. Pure. */
import * as z from "zod";

/** Whether a run is done when its requirements are proven by executed checks. */
export const EvidenceKind = z.enum(["off", "own"], {
  error: ({ input }) =>
    input === "independent" || input === "strict"
      ? `"${input}" is not available in this version; expected "off" or "own"`
      : undefined,
});
