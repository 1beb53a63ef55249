/** Money, times, sizes and counts for people, the same on every surface. Pure. */
import { KiB, MiB } from "../limits.ts";

/** In micro-dollars: cents, and what is below a cent where there is no more. */
export function money(microUsd: number): string {
  const usd = microUsd / 1_000_000;
  return usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

/** The end of a run's id is random, so it tells runs apart that began at the same time. */
const SHORT_CHARS = 6;
export const shortId = (runId: string): string => runId.slice(-SHORT_CHARS);

/** `1 file`, `2 files`. */
export const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** `2026-11-21 22:29 UTC`, from a time or an ISO date. */
export function moment(time: number | string): string {
  const iso = new Date(time).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** `22:29:48 UTC`, with its date if that is not today. */
export const clock = (at: string, now: string): string =>
  `${at.slice(0, 10) === now.slice(0, 10) ? "" : `${at.slice(0, 10)} `}${at.slice(11, 19)} UTC`;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Duration {
  seconds: number;
  minutes: number;
  hours: number;
  days: number;
  total: number;
}

function durationOf(milliseconds: number): Duration {
  const total = Math.max(0, Math.round(milliseconds / 1_000));
  return {
    total,
    seconds: total % MINUTE,
    minutes: Math.floor((total % HOUR) / MINUTE),
    hours: Math.floor(total / HOUR),
    days: Math.floor(total / DAY),
  };
}

const two = (value: number): string => String(value).padStart(2, "0");

/** `8s`, `1m52`, `2h05`, `3d`: for columns. */
export function span(milliseconds: number): string {
  const { total, seconds, minutes, hours, days } = durationOf(milliseconds);
  if (total < MINUTE) return `${seconds}s`;
  if (total < HOUR) return `${minutes}m${two(seconds)}`;
  return total < DAY ? `${hours}h${two(minutes)}` : `${days}d`;
}

/** `8 s`, `1 min 52 s`, `2 h 5 min`, `3 d`: for sentences. */
export function spanWords(milliseconds: number): string {
  const { total, seconds, minutes, hours, days } = durationOf(milliseconds);
  if (total < MINUTE) return `${seconds} s`;
  if (total < HOUR) return `${minutes} min ${seconds} s`;
  return total < DAY ? `${hours} h ${minutes} min` : `${days} d`;
}

export function size(bytes: number): string {
  if (bytes < KiB) return `${bytes} B`;
  if (bytes < MiB) return `${(bytes / KiB).toFixed(1)} KiB`;
  return bytes < 1_024 * MiB ? `${(bytes / MiB).toFixed(1)} MiB` : `${(bytes / MiB / 1_024).toFixed(1)} GiB`;
}

/** `814`, `8.19k`, `128k`, `1.05M`. */
export function amount(count: number): string {
  if (count < 1_000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1_000, "k"] : [count / 1_000_000, "M"];
  return `${Number(value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0))}${unit}`;
}
