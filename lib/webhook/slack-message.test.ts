import { spawnSync } from "node:child_process";
import type { KnownBlock } from "@slack/types";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Notification } from "../core/notification/notification.ts";
import { type SlackMessage, slackMessage } from "./slack-message.ts";

const aNotification = (run: Partial<Notification["run"]> = {}, more: Partial<Notification> = {}): Notification => ({
  ...{ id: "01RUN-7-completed", type: "completed", at: "2026-03-01T12:00:00.000Z" },
  run: { id: "01RUN", name: "words", title: "A command that counts words", status: "completed", ...run },
  cost: { usd: 0.1, tokens: 10, turns: 1, minutes: 0.5 },
  ...more,
});

/** The message of an incoming webhook by Slack's own types. */
interface PublishedMessage {
  text?: string;
  unfurl_links?: boolean;
  unfurl_media?: boolean;
  blocks?: KnownBlock[];
}

/** Slack's own Python models, which check lengths as the service does. */
const JUDGE = `
import json, sys
from slack_sdk.models.blocks import Block
for line in sys.stdin:
    blocks = json.loads(line)["blocks"]
    assert len(blocks) <= 50
    for given in blocks:
        block = Block.parse(given)
        assert block is not None, given
        block.validate_json()
        for name in ("text",):
            if getattr(block, name, None) is not None: getattr(block, name).validate_json()
        for each in (getattr(block, "fields", None) or []) + (getattr(block, "elements", None) or []): each.validate_json()
        assert set(given) <= set(block.to_dict()), (given, block.to_dict())
`;
const hasSlack = spawnSync("python3", ["-c", "import slack_sdk"]).status === 0;

const hostile: Notification[] = [
  aNotification(),
  aNotification({ title: "", name: "" }),
  aNotification({ title: "<!channel> & <@U123|you> </>".repeat(7), detail: "&".repeat(2_000) }),
  aNotification({ title: "<".repeat(200), detail: "<!here>".repeat(285), reason: "trapped", status: "partial" }),
  aNotification(
    { status: "running", title: "𝒳".repeat(100) },
    { type: "ceiling", ceiling: { of: "usd", limit: 5, spent: 4.02 } },
  ),
  aNotification({ status: "waiting", reason: "approval" }, { type: "waiting" }),
  aNotification(
    { status: "waiting", reason: "answer", detail: "Waiting for an answer: <!here>" },
    { type: "waiting", question: { step: 3, text: "<!here>", choices: Array(20).fill("<!channel> & 𝒳") } },
  ),
];

const textsOf = ({ text, blocks }: SlackMessage): string[] => [
  text,
  ...blocks.flatMap((block) => [
    ...("text" in block ? [block.text.text] : []),
    ...("fields" in block ? block.fields.map((each) => each.text) : []),
    ...("elements" in block ? block.elements.map((each) => each.text) : []),
  ]),
];

describe("a notification in Slack's form", () => {
  it("says what happened in blocks, and in a text for where none are shown", () => {
    const message: PublishedMessage = slackMessage(aNotification({ detail: "All 3 requirements are proven." }));
    expect(message.text).toBe("Run completed: A command that counts words");
    expect(message.blocks?.map(({ type }) => type)).toEqual(["header", "section", "section", "section", "context"]);
    expect(JSON.stringify(message.blocks)).toContain("Cost: $0.10");
    expect(JSON.stringify(message.blocks)).toContain("All 3 requirements are proven.");
  });

  it("has the choices of a question", () => {
    const question = { step: 3, text: "Which colour?", choices: ["Red", "Green"] };
    const message = slackMessage(aNotification({ status: "waiting", reason: "answer" }, { type: "waiting", question }));
    expect(message.text).toBe("Run asks a question: A command that counts words");
    expect(JSON.stringify(message.blocks)).toContain(JSON.stringify("1) Red\n2) Green"));
  });

  it("mentions no one and links nothing, whatever the texts of a run hold", () => {
    const hostileText = fc.oneof(fc.string(), fc.stringMatching(/^(<!channel>|<@U1>|&|<https:\/\/x\|y>|@here)+$/));
    fc.assert(
      fc.property(hostileText, hostileText, (title, detail) => {
        const message = slackMessage(aNotification({ title, detail }));
        for (const text of textsOf(message)) expect(text).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/);
        const { blocks } = message;
        expect(JSON.stringify(blocks)).not.toContain('"mrkdwn","text":"","verbatim"');
        expect(blocks.every((block) => !("text" in block) || block.type === "header" || block.text.verbatim)).toBe(
          true,
        );
      }),
      { numRuns: 200 },
    );
  });

  it("shows a whole text as it was, and cuts a long one between characters", () => {
    const title = "a < b && c > d <!channel>";
    const [, section] = slackMessage(aNotification({ title })).blocks;
    const shown = section && "text" in section ? section.text.text : "";
    expect(shown.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")).toBe(title);
    const long = slackMessage(aNotification({ detail: "&".repeat(2_000) })).blocks[2];
    const cut = long && "text" in long ? long.text.text : "";
    expect(cut.length).toBeLessThanOrEqual(3_000);
    expect(cut).toMatch(/^(&amp;)+…$/);
  });

  it.skipIf(!hasSlack)("is taken by Slack's own models, with their limits", () => {
    const input = hostile.map((each) => JSON.stringify(slackMessage(each))).join("\n");
    const { status, stderr } = spawnSync("python3", ["-c", JUDGE], { input, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    // The judge refuses what Slack refuses.
    const tooLong = { blocks: [{ type: "section", text: { type: "mrkdwn", text: "x".repeat(3_001) } }] };
    const refused = spawnSync("python3", ["-c", JUDGE], { input: JSON.stringify(tooLong), encoding: "utf8" });
    expect(refused.stderr).toContain("3000");
  });
});
