/** `npm run rehearse:cloud`: plays the deployment that `cdk deploy` would make, with its permissions, without AWS. */
import { play } from "./play.ts";

process.exitCode = await play((line) => console.log(line));
