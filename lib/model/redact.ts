/** Makes a server's message safe to show: without the key, without control characters, and short. Pure. */
import { ellipsis } from "../core/text/cut.ts";
import { sanitizeLine } from "../core/text/sanitize.ts";

/** Keys as servers quote them in errors: `sk-abc…`, `Bearer …`, `gsk_***xyz`. */
const LIKE_A_KEY =
  /\bBearer\s+\S+|\b(?:sk|gsk|pk|key|bedrock-api-key)[-_][\w*-]{6,}|(?:(?<![\w-])[\w-]*)?\*{3,}[\w-]*/gi;
const SHOWN_CHARS = 300;
/** A shorter "key" is a word such as `none`, which may occur in any message. */
const KEY_CHARS = 6;

export type Redact = (text: string) => string;

export function createRedact(apiKey: string | undefined): Redact {
  const forms =
    apiKey && apiKey.length >= KEY_CHARS
      ? [apiKey, encodeURIComponent(apiKey), JSON.stringify(apiKey).slice(1, -1)]
      : [];
  return (text) => {
    const without = forms.reduce((left, form) => left.replaceAll(form, "[key]"), text);
    return ellipsis(sanitizeLine(without.replace(LIKE_A_KEY, "[key]")).replace(/\s+/g, " ").trim(), SHOWN_CHARS);
  };
}
