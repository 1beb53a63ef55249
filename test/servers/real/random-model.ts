/** A language model of random weights in GGUF, small enough to be made in a moment, that a real llama.cpp loads. Pure. */

const [UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY] = [4, 5, 6, 7, 8, 9] as const;
const ALIGNMENT = 32;
/** What is written is noise at any size. */
const [WIDTH, HEADS, INNER] = [32, 2, 64] as const;
export const RANDOM_MODEL_WINDOW = 65_536;

const START = "<|im_start|>";
const END = "<|im_end|>";
const CHAT_TEMPLATE =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/** One that names the tools, and calls in tags. */
export const TOOL_TEMPLATE = `{% if tools %}<|im_start|>system
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|im_end|>
{% endif %}{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.content or '' }}{% for call in message.tool_calls or [] %}<tool_call>
{"name": {{ call.function.name | tojson }}, "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`;

/** Its own chat template takes no tools. */
export function randomModel(seed = 1): Uint8Array {
  const tokens = [...byteTokens(), END, START];
  const tensors = tensorsOf(tokens, random(seed));
  const header = Buffer.concat([
    ...[Buffer.from("GGUF"), uint32(3), uint64(tensors.length)],
    ...metadata(tokens),
    ...tensorTable(tensors),
  ]);
  return Buffer.concat([padded(header), ...tensors.map(({ values }) => padded(Buffer.from(values.buffer)))]);
}

interface Tensor {
  name: string;
  /** The innermost first. */
  shape: number[];
  values: Float32Array;
}

function tensorsOf(tokens: string[], next: () => number): Tensor[] {
  const tensor = (name: string, ...shape: number[]): Tensor => {
    const size = shape.reduce((product, length) => product * length, 1);
    return { name, shape, values: Float32Array.from({ length: size }, next) };
  };
  const ones = (name: string): Tensor => ({ name, shape: [WIDTH], values: new Float32Array(WIDTH).fill(1) });
  const embedding = tensor("token_embd.weight", WIDTH, tokens.length);
  const output = tensor("output.weight", WIDTH, tokens.length);
  // The first coordinate is much larger than the others, for every token alike: it carries how likely each token is.
  tokens.forEach((token, index) => {
    embedding.values[index * WIDTH] = 10;
    output.values[index * WIDTH] = likelihood(token);
  });
  const square = ["attn_q", "attn_k", "attn_v", "attn_output"];
  return [
    ...[embedding, ones("output_norm.weight"), output, ones("blk.0.attn_norm.weight"), ones("blk.0.ffn_norm.weight")],
    ...square.map((name) => tensor(`blk.0.${name}.weight`, WIDTH, WIDTH)),
    ...["ffn_gate", "ffn_up"].map((name) => tensor(`blk.0.${name}.weight`, WIDTH, INNER)),
    tensor("blk.0.ffn_down.weight", INNER, WIDTH),
  ];
}

/** Letters and digits; ends of texts and strings so often that they are short; nothing that no text has. */
function likelihood(token: string): number {
  if (token === END || token === '"') return 0.5;
  if (/^[a-zA-Z0-9Ġ]$/.test(token)) return 0.2;
  return /^[!-~]$/.test(token) ? 0 : -3;
}

/** The stand-ins of GPT-2 for the bytes: each byte is a printable character, and a token. */
function byteTokens(): string[] {
  let others = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    return String.fromCodePoint(isPrintable ? byte : 256 + others++);
  });
}

function metadata(tokens: string[]): Buffer[] {
  const kinds = tokens.map((token) => (token === START || token === END ? 3 : 1));
  const entries: [key: string, type: number, value: Buffer][] = [
    ["general.architecture", STRING, text("llama")],
    ["general.name", STRING, text("random")],
    ["llama.context_length", UINT32, uint32(RANDOM_MODEL_WINDOW)],
    ["llama.embedding_length", UINT32, uint32(WIDTH)],
    ["llama.block_count", UINT32, uint32(1)],
    ["llama.feed_forward_length", UINT32, uint32(INNER)],
    ["llama.attention.head_count", UINT32, uint32(HEADS)],
    ["llama.attention.layer_norm_rms_epsilon", FLOAT32, float32(1e-5)],
    ["llama.rope.dimension_count", UINT32, uint32(WIDTH / HEADS)],
    ["tokenizer.ggml.model", STRING, text("gpt2")],
    ["tokenizer.ggml.pre", STRING, text("gpt-2")],
    ["tokenizer.ggml.tokens", ARRAY, list(STRING, tokens.map(text))],
    ["tokenizer.ggml.token_type", ARRAY, list(INT32, kinds.map(uint32))],
    ["tokenizer.ggml.merges", ARRAY, list(STRING, [text("Ġ t")])],
    ["tokenizer.ggml.bos_token_id", UINT32, uint32(tokens.indexOf(START))],
    ["tokenizer.ggml.eos_token_id", UINT32, uint32(tokens.indexOf(END))],
    ["tokenizer.ggml.add_bos_token", BOOL, Buffer.from([0])],
    ["tokenizer.chat_template", STRING, text(CHAT_TEMPLATE)],
  ];
  return [uint64(entries.length), ...entries.flatMap(([key, type, value]) => [text(key), uint32(type), value])];
}

function tensorTable(tensors: Tensor[]): Buffer[] {
  let offset = 0;
  return tensors.flatMap(({ name, shape, values }) => {
    const at = offset;
    offset += Math.ceil(values.byteLength / ALIGNMENT) * ALIGNMENT;
    // 0: numbers of 32 bits.
    return [text(name), uint32(shape.length), ...shape.map(uint64), uint32(0), uint64(at)];
  });
}

/** Small numbers around zero, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32 - 0.5) * 0.3;
  };
}

const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT)]);

const list = (type: number, items: Buffer[]): Buffer => Buffer.concat([uint32(type), uint64(items.length), ...items]);
const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint64(bytes.length), bytes]);
};
const uint32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
const float32 = (value: number): Buffer => Buffer.from(Float32Array.of(value).buffer);
const uint64 = (value: number): Buffer => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
