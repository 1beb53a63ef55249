/** `npm run rehearse:cloud`: runs the stack that `cdk deploy` would create, with its permissions, without AWS. */
import { play } from "./play.ts";

process.exitCode = await play((line) => console.log(line));
