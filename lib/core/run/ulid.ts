/** Run ids: ULIDs, which sort by the time at which they were made. */

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

export function ulid(now: number, random: () => number): string {
  let time = "";
  for (let rest = now; time.length < TIME_DIGITS; rest = Math.floor(rest / 32)) time = digit(rest % 32) + time;
  let chance = "";
  while (chance.length < RANDOM_DIGITS) chance += digit(Math.floor(random() * 32));
  return time + chance;
}

const digit = (value: number): string => ALPHABET.charAt(value);

export const isUlid = (text: string): boolean => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(text);
