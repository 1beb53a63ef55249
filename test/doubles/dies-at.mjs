/** Loaded into a command: it is killed when it is about to put a file in the place that L2MAC_DIES_AT ends with. */
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const { rename } = fs;
const fatal = process.env.L2MAC_DIES_AT;
fs.rename = (from, to) => {
  if (fatal && String(to).endsWith(fatal)) process.kill(process.pid, "SIGKILL");
  return rename(from, to);
};
syncBuiltinESMExports();
