/** For tests of something else: their models offer no evidence, and their runs ask for none. */
export const NO_EVIDENCE = { evidence: "off" } as const;
