/** Values that survive JSON, the only ones that pass between the machine's parts. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
