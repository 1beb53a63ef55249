/** A notification as the body of an incoming webhook of Slack: blocks, and a text for lists and screen readers. Pure. */
import type { Notification } from "../core/notification/notification.ts";

/** Characters that Slack takes, counted after escaping. */
const SECTION_CHARS = 3_000;
const FIELD_CHARS = 2_000;
const TEXT_CHARS = 4_000;

interface MarkdownText {
  type: "mrkdwn";
  text: string;
  /** Slack turns names and addresses in it into no mentions and links. */
  verbatim: true;
}

export type SlackBlock =
  | { type: "header"; text: { type: "plain_text"; text: string; emoji: false } }
  | { type: "section"; text: MarkdownText }
  | { type: "section"; fields: MarkdownText[] }
  | { type: "context"; elements: MarkdownText[] };

export interface SlackMessage {
  text: string;
  unfurl_links: false;
  unfurl_media: false;
  blocks: SlackBlock[];
}

export function slackMessage({ id, type, at, run, cost, ceiling, question }: Notification): SlackMessage {
  const heading = ceiling
    ? `Run has used ${ceiling.spent} of ${ceiling.limit} (${ceiling.of})`
    : question
      ? "Run asks a question"
      : HEADINGS[type];
  const choices = (question?.choices ?? []).map((choice, index) => `${index + 1}) ${choice}`).join("\n");
  const detail = run.detail ?? run.reason ?? "";
  return {
    text: escapedText(`${heading}: ${run.title}`, TEXT_CHARS),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "header", text: { type: "plain_text", text: heading, emoji: false } },
      { type: "section", text: markdown(run.title, SECTION_CHARS) },
      ...(detail === "" ? [] : [{ type: "section" as const, text: markdown(detail, SECTION_CHARS) }]),
      ...(choices === "" ? [] : [{ type: "section" as const, text: markdown(choices, SECTION_CHARS) }]),
      {
        type: "section",
        fields: [
          markdown(`Status: ${run.status}`, FIELD_CHARS),
          markdown(`Cost: $${cost.usd.toFixed(2)}`, FIELD_CHARS),
          markdown(`Turns: ${cost.turns}, tokens: ${cost.tokens}`, FIELD_CHARS),
          markdown(`Minutes: ${cost.minutes}`, FIELD_CHARS),
        ],
      },
      { type: "context", elements: [markdown(`${run.name} · ${run.id} · ${at} · ${id}`, FIELD_CHARS)] },
    ],
  };
}

const HEADINGS: Record<Notification["type"], string> = {
  completed: "Run completed",
  partial: "Run ended with a part of its work",
  failed: "Run failed",
  cancelled: "Run cancelled",
  waiting: "Run waits for a person",
  ceiling: "Run is near a ceiling",
};

const markdown = (text: string, limit: number): MarkdownText => ({
  type: "mrkdwn",
  text: escapedText(text, limit),
  verbatim: true,
});

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/**
 * Slack reads mentions and links out of `<…>` only, so escaped text mentions no one. A cut text ends with an ellipsis, and
 * never within an entity.
 */
function escapedText(text: string, limit: number): string {
  let written = "";
  for (const character of text) {
    const next = ENTITIES[character] ?? character;
    if (written.length + next.length > limit - ELLIPSIS.length) return `${written}${ELLIPSIS}`;
    written += next;
  }
  // Slack takes no empty text.
  return written === "" ? "-" : written;
}

const ELLIPSIS = "…";
