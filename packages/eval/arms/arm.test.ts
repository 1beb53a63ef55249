import { describe, expect, it } from "vitest";
import { ARMS, type ArmEvent, type ArmName, type Summarise } from "./arm.ts";
import { retainedIn } from "./retention.ts";
import { evenSummary, idealSummary } from "./summarisers.ts";
import { ROOM_TOKENS, SUMMARY_TOKENS, tokensOf } from "./window.ts";

const message = (text: string): ArmEvent => ({ kind: "message", text });
const request = (instruction: number, sent = ""): ArmEvent => ({ kind: "request", instruction, sent });
const requirements = [
  { id: "R1", text: "the first thing" },
  { id: "R2", text: "the second thing" },
];
const filler = "line of text\n".repeat(450);

async function contextsOf(arm: ArmName, events: ArmEvent[], summarise: Summarise = idealSummary): Promise<string[]> {
  const texts: string[] = [];
  for await (const { text } of ARMS[arm]({ events, summarise })) texts.push(text);
  return texts;
}
const retained = async (arm: ArmName, events: ArmEvent[], summarise: Summarise = idealSummary): Promise<string[]> =>
  Object.keys(await retainedIn(ARMS[arm]({ events, summarise }), requirements));

describe("an arm", () => {
  const events = [message("begin"), ...Array.from({ length: 20 }, () => [message(filler), request(1)]).flat()];

  it("of a machine sends what the machine sent", async () => {
    expect(await contextsOf("l2mac", [message("begin"), request(1, "sent"), request(2)])).toEqual(["sent", ""]);
  });

  it("that grows has all until the window is full, and then the newest text", async () => {
    const [first = "", ...others] = await contextsOf("growing", events);
    expect(first).toBe(`begin\n\n${filler}\n\n`);
    for (const text of others) expect(tokensOf(text)).toBeLessThanOrEqual(ROOM_TOKENS);
    expect(others.at(-1)?.startsWith("begin")).toBe(false);
    expect(others.at(-1)?.endsWith(`${filler.slice(-100)}\n\n`)).toBe(true);
  });

  it("that summarises asks when the window is full, and cuts what is longer than a summary may be", async () => {
    const asked: string[] = [];
    const summarise: Summarise = async (text) => {
      asked.push(text);
      return `summary ${asked.length} `.repeat(10_000);
    };
    const contexts = await contextsOf("summarising", events, summarise);
    expect(asked[0]?.startsWith("begin")).toBe(true);
    expect(asked[1]?.startsWith("summary 1")).toBe(true);
    for (const text of [...asked, ...contexts]) expect(tokensOf(text)).toBeLessThanOrEqual(ROOM_TOKENS);
    expect(asked.length).toBeGreaterThan(5);
  });
});

describe("a requirement is retained", () => {
  it("if each request of its instruction has its text, word for word", async () => {
    expect(await retained("l2mac", [request(1, "see the first thing"), request(2, "see the second")])).toEqual(["R1"]);
    expect(await retained("l2mac", [request(1, "the first thing"), request(1, "the first"), request(2)])).toEqual([]);
  });

  it("not if its instruction was never worked on, or another one's requests have it", async () => {
    expect(await retained("l2mac", [request(1, "the second thing")])).toEqual([]);
  });

  it("by a conversation until it is cut, by a summary as long as the summaries keep it", async () => {
    const task = message(requirements.map(({ text }) => text).join("\n"));
    const events = [task, request(1), ...Array.from({ length: 8 }, () => message(filler)), request(2)];
    expect(await retained("growing", events)).toEqual(["R1"]);
    expect(await retained("summarising", events)).toEqual(["R1", "R2"]);
    expect(await retained("summarising", events, async () => "The task has two things.")).toEqual(["R1"]);
  });
});

describe("the doubles of a summarising model", () => {
  it.each([idealSummary, evenSummary])("keep to the size of a summary", async (summarise) => {
    const text = await summarise(`begin\n${filler.repeat(3)}end`);
    expect(tokensOf(text)).toBeLessThanOrEqual(SUMMARY_TOKENS);
    expect(text.startsWith("begin")).toBe(true);
  });
});
