import { describe, expect, it } from "vitest";
import { asksToKeep } from "./requirement-words.ts";

describe("a requirement that asks for nothing new", () => {
  it.each([
    "All that worked before works as it did, and its tests stay as they are.",
    "The existing tests still pass.",
    "Existing commands keep working.",
    "The public API remains unchanged.",
    "The change is backward compatible.",
    "No regressions in the parser.",
    "Nothing that users rely on breaks: existing features must not break.",
    "The old flags continue to work.",
    "The import runs as before.",
    "Do the upgrade without breaking the plug-ins.",
  ])("is known by its words: %s", (text) => expect(asksToKeep(text)).toBe(true));

  it.each([
    "A book to read can have a due date, set and cleared on the page.",
    "After undo the document is as it was before the change.",
    "Archived books are still shown, in grey.",
    "The order of equal items must not change when they are sorted.",
    "It keeps a tally of what I spend.",
    "Long lines break at words, never inside them.",
    "A backup is kept for each day.",
    "The list is left empty.",
    "The input is unchanged after the call.",
    "It works with Node 24 and later.",
    "The light stays green for ten seconds.",
  ])("is not seen where a new behaviour is asked for: %s", (text) => expect(asksToKeep(text)).toBe(false));
});
