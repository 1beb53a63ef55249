/** Amounts of money as whole cents, so that sums stay exact. */
import { usage } from "./problem.js";

/** "12", "12.5", "12,50" and "-3.20" are amounts; anything else is refused. */
export function parseAmount(text) {
  const match = /^([+-]?)(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (!match) throw usage('"' + text + '" is not an amount; write it like 12.50');
  const [, sign, whole, fraction = ""] = match;
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  return sign === "-" ? -cents : cents;
}

export function formatAmount(cents) {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return (cents < 0 ? "-" : "") + digits.slice(0, -2) + "." + digits.slice(-2);
}

export const sumAmounts = (amounts) => amounts.reduce((sum, cents) => sum + cents, 0);
