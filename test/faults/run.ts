/** `npm run faults`: breaks the machine on purpose, in every way that is known, and shows what it keeps. */
import { play } from "./laboratory.ts";

process.exitCode = await play(process.argv.slice(2), (line) => console.log(line));
