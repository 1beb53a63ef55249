/** Reads an amount from a form, or says how to write it. Pure. */

export interface AmountField {
  /** As its field is called. */
  field: string;
  isWhole?: boolean;
}

export type Amount = { value: number } | { problem: string };

/** Digits and one point: what else a computer takes for a number, a person does not. */
const WRITTEN = /^-?(\d+(?:\.\d*)?|\.\d+)$/;

export function readAmount(text: string, { field, isWhole = false }: AmountField): Amount {
  const value = Number(text.trim());
  if (!WRITTEN.test(text.trim()) || !Number.isFinite(value)) return { problem: `${field}: ${writeIt(isWhole)}` };
  if (value <= 0) return { problem: `${field}: it must be more than 0.` };
  return isWhole && !Number.isSafeInteger(value) ? { problem: `${field}: ${writeIt(isWhole)}` } : { value };
}

const writeIt = (isWhole: boolean): string =>
  isWhole ? "enter a whole number, like 24." : "enter a number, like 10.50.";
