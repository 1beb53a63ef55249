/** What a run says without what differs from one computer or moment to the next. Pure. */

export const withoutAccidents = (text: string, folder: string): string =>
  `${text
    .split("\n")
    .filter((line) => line.trim() !== "" && !LEFT_OUT.test(line))
    .map((line) => cleaned(line.replaceAll(`${folder}/`, "")))
    .join("\n")}\n`;

/** Ids, the sandbox and the place of a run; the next commands with its id; that a slow computer has no news yet. */
const LEFT_OUT =
  /^(l2mac \d|See how it went|Next:| {2}or: |approved|resumed|Without bubblewrap|This computer cannot|Try it:|Verify it| {2}… .* · no news for )/;

const cleaned = (line: string): string =>
  line
    .replace(/ · [\d.]+k? in, [\d.]+k? out, \$[\d.]+, \d+\w*$/, "")
    .replace(/ · checked \d.*$/, "")
    .replace(/ · \d+m?s( · \$[\d.]+ so far)?$/, "")
    .replace(/ started \(.*\)$/, " started");
