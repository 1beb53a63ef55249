/** Base64 without Node: the page has none. Pure. */

/** Function arguments are limited, and so is what one call can spread. */
const CHUNK = 0x8000;

export function toBase64(bytes: Uint8Array): string {
  let latin1 = "";
  for (let at = 0; at < bytes.length; at += CHUNK) latin1 += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(latin1);
}

/** Throws if it is not base64. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
