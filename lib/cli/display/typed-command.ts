/** The command as its user typed it: what is shown as the next one has to work when it is pasted. Pure. */
import { commands } from "../commands.ts";

/** npm tells the programs that it starts, and puts the command where they find it; the shell that typed it does not. */
export const typedCommand = ({ npm_command, npm_lifecycle_event }: Readonly<Record<string, string | undefined>>) =>
  npm_command === undefined && npm_lifecycle_event === undefined ? "l2mac" : "npx l2mac";

/** `l2mac resume`, `l2mac "<task>"`; not `l2mac 0.1.0`, and not what says `npx` already. */
const SHOWN = new RegExp(
  `(?<!npx )(?<![\\w./:@-])l2mac (?=(?:${commands.map(({ name }) => name).join("|")})\\b|["<])`,
  "g",
);

/** Every command of this one in our own words, as it would be typed again. */
export const asTyped = (text: string, typed: string): string =>
  typed === "l2mac" ? text : text.replace(SHOWN, `${typed} `);
