/** An amount that somebody wrote into a form: what it is, or how it is to be written. Pure. */

export interface Asked {
  /** As its field is called. */
  field: string;
  isWhole?: boolean;
}

export type Amount = { value: number } | { problem: string };

/** Digits and one point: what else a computer takes for a number, a person does not. */
const WRITTEN = /^-?(\d+\.?\d*|\.\d+)$/;

export function readAmount(text: string, { field, isWhole = false }: Asked): Amount {
  const value = Number(text.trim());
  if (!WRITTEN.test(text.trim()) || !Number.isFinite(value)) return { problem: `${field}: ${writeIt(isWhole)}` };
  if (value <= 0) return { problem: `${field}: it must be more than 0.` };
  return isWhole && !Number.isSafeInteger(value) ? { problem: `${field}: ${writeIt(isWhole)}` } : { value };
}

const writeIt = (isWhole: boolean): string =>
  isWhole ? "write it as a whole number, like 24." : "write it like 10.50.";
