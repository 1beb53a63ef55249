/** `npm run rehearse:cloud`: runs the stack that `cdk deploy` would create, with its permissions, without AWS. */
import { parseArgs } from "node:util";
import { readShard } from "../../test/shard.ts";
import { play } from "./play.ts";

const { values } = parseArgs({ options: { shard: { type: "string" }, acts: { type: "string" } } });
const partOf = (words: string | undefined) => (words === undefined ? undefined : readShard(words));
process.exitCode = await play((line) => console.log(line), { shard: partOf(values.shard), acts: partOf(values.acts) });
