/** Moments in the time of this computer, as its user reads a clock. Pure but for the time zone. */

const two = (value: number): string => String(value).padStart(2, "0");

/** `2026-11-23` */
export function localDay(at: string): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `14:03:20` */
export function localClock(at: string): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** `2026-11-23 14:03`: for rows. */
export const localMinute = (at: string): string => `${localDay(at)} ${localClock(at).slice(0, 5)}`;

/** `UTC+02:00`, which may be another in summer. */
export function zoneAt(at: string): string {
  const minutes = -new Date(at).getTimezoneOffset();
  const size = Math.abs(minutes);
  return minutes === 0 ? "UTC" : `UTC${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** `2026-11-23 14:03:20 UTC+02:00` */
export const localMoment = (at: string): string => `${localDay(at)} ${localClock(at)} ${zoneAt(at)}`;
