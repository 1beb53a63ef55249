/** What must be there before a run's model can be asked again, by its protocol. Pure. */
import type { Api, ModelProfile } from "../turn/model-profile.ts";

export const credentialsNeeded = ({ api }: Pick<ModelProfile, "api">): string =>
  (api && NEEDED[api]) ?? "once OPENAI_API_KEY is set";

const SIGNED_IN = "once you are signed in to AWS, or AWS_PROFILE is set";
const NEEDED: Partial<Record<Api, string>> = {
  messages: "once ANTHROPIC_API_KEY is set",
  gemini: "once GEMINI_API_KEY is set",
  openrouter: "once OPENROUTER_API_KEY is set",
  converse: SIGNED_IN,
  "bedrock-chat": SIGNED_IN,
};
