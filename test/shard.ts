/** A part of a list that takes long as a whole: `--shard 2/6` takes the second of each six. */
export interface Shard {
  index: number;
  of: number;
}

export function readShard(text: string): Shard {
  const [, index = "", of = ""] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index >= 1 && shard.index <= shard.of) return shard;
  throw new Error(`--shard ${text}: it must be like 2/5.`);
}

export const takeShard = <Item>(items: Item[], shard: Shard | undefined): Item[] =>
  shard ? items.filter((_, at) => at % shard.of === shard.index - 1) : items;
