/** What the worker must be able to end. */
export const matchForever = (): boolean => new RegExp(`^(a|a)+${"$"}`).test(`${"a".repeat(60)}b`);
