/** `npm run rehearse:cloud`: runs the stack that `cdk deploy` would create, with its permissions, without AWS. */
import { parseArgs } from "node:util";
import { readShard } from "../../test/shard.ts";
import { play } from "./play.ts";

const { values } = parseArgs({ options: { shard: { type: "string" } } });
process.exitCode = await play((line) => console.log(line), values.shard ? readShard(values.shard) : undefined);
