/** Amounts in words: money, time, sizes, runs. Pure. */

import { KiB, MiB } from "../../core/limits.ts";
import { money } from "../../core/run/amounts.ts";
import type { DayAccount } from "../../core/run/daily.ts";

export { money, shortId } from "../../core/run/amounts.ts";

/** Of a UTC date, by all runs together. */
export function dayWords({ limitMicroUsd, microUsd, reservedMicroUsd }: DayAccount): string {
  const inFlight = reservedMicroUsd > 0 ? `, ${money(reservedMicroUsd)} of it reserved for calls in flight` : "";
  return `${money(microUsd)} of the daily ${money(limitMicroUsd)}, all runs together${inFlight}; anew at 00:00 UTC`;
}

/** `2026-11-21 22:29 UTC`: the same wherever it is read. */
export const moment = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

/** `22:29:48 UTC`, with its day where that is another one than now. */
export const clock = (at: string, now: string): string =>
  `${at.slice(0, 10) === now.slice(0, 10) ? "" : `${at.slice(0, 10)} `}${at.slice(11, 19)} UTC`;

/** What the machine says with its own clock, as people read it. */
export const withMoments = (text: string): string =>
  text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, moment);

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `8s`, `1m52`, `2h05`, `3d`. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  const two = (value: number): string => String(value).padStart(2, "0");
  if (seconds < MINUTE) return `${seconds}s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}m${two(seconds % MINUTE)}`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)}h${two(Math.floor((seconds % HOUR) / MINUTE))}`;
  return `${Math.floor(seconds / DAY)}d`;
}

export function size(bytes: number): string {
  if (bytes < KiB) return `${bytes} B`;
  if (bytes < MiB) return `${(bytes / KiB).toFixed(1)} KiB`;
  return bytes < 1_024 * MiB ? `${(bytes / MiB).toFixed(1)} MiB` : `${(bytes / MiB / 1_024).toFixed(1)} GiB`;
}

/** `128k`, `1.05M`. */
export function tokens(count: number): string {
  if (count < 1_000) return String(count);
  const [value, unit] = count < 1_000_000 ? [count / 1_000, "k"] : [count / 1_000_000, "M"];
  return `${Number(value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0))}${unit}`;
}
