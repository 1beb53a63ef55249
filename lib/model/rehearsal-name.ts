/** The name under which the rehearsal is asked for: known to many who do not load its scenes. */
export const REHEARSAL = "rehearsal";
