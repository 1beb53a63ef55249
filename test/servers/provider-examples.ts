/** Answers in the shape that the providers document, with the tool of our tests in place of theirs. Not recordings. */

/** https://platform.openai.com/docs/guides/function-calling and /docs/guides/reasoning (encrypted reasoning items). */
export const responsesAnswer = {
  id: "resp_67ca09c5efe0819096d0511c92b8c890096610f474011cc0",
  object: "response",
  created_at: 1741294021,
  status: "completed",
  error: null,
  incomplete_details: null,
  model: "gpt-5.6-2026-06-01",
  output: [
    {
      type: "reasoning",
      id: "rs_67ca09c6bedc8190a7abfec07b1a1332096610f474011cc0",
      summary: [],
      encrypted_content: "gAAAAABo-example",
    },
    {
      type: "message",
      id: "msg_67ca09c6bedc8190a7abfec07b1a1332096610f474011cc0",
      status: "completed",
      role: "assistant",
      content: [{ type: "output_text", text: "Looking.", annotations: [] }],
    },
    {
      type: "function_call",
      id: "fc_67ca09c6bedc8190a7abfec07b1a1332096610f474011cc0",
      call_id: "call_unLAR8MvFNptuiZK6K6HCy5k",
      name: "list_files",
      arguments: '{"prefix":"src"}',
      status: "completed",
    },
  ],
  usage: {
    input_tokens: 291,
    input_tokens_details: { cached_tokens: 128 },
    output_tokens: 23,
    output_tokens_details: { reasoning_tokens: 12 },
    total_tokens: 314,
  },
};

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use and /build-with-claude/prompt-caching. */
export const messagesAnswer = {
  id: "msg_01Aq9w938a90dw8q",
  type: "message",
  role: "assistant",
  model: "claude-opus-5",
  content: [
    { type: "thinking", thinking: "", signature: "EqQBCgIYAhIM-example" },
    { type: "text", text: "Looking." },
    { type: "tool_use", id: "toolu_01A09q90qw90lq917835lq9", name: "list_files", input: { prefix: "src" } },
  ],
  stop_reason: "tool_use",
  stop_sequence: null,
  usage: {
    input_tokens: 50,
    cache_creation_input_tokens: 248,
    cache_read_input_tokens: 1800,
    output_tokens: 89,
  },
};

/**
 * https://docs.aws.amazon.com/bedrock/latest/userguide/tool-use-inference-call.html (the call),
 * /bedrock/latest/APIReference/API_runtime_ContentBlock.html (the thought) and API_runtime_TokenUsage.html.
 */
export const converseAnswer = {
  metrics: { latencyMs: 740 },
  output: {
    message: {
      role: "assistant",
      content: [
        { reasoningContent: { reasoningText: { text: "Files first.", signature: "EqQBCgIYAhIM-example" } } },
        { text: "Looking." },
        { toolUse: { toolUseId: "tooluse_kZJMlvQmRJ6eAyJE5GIl7Q", name: "list_files", input: { prefix: "src" } } },
      ],
    },
  },
  stopReason: "tool_use",
  usage: {
    inputTokens: 50,
    outputTokens: 89,
    totalTokens: 2187,
    cacheReadInputTokens: 1800,
    cacheWriteInputTokens: 248,
  },
};
