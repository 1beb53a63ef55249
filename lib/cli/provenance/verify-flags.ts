/** The flags of the commands about signed deliveries. */
import type { Flag } from "../command.ts";

export const MANIFEST: Flag = {
  name: "--manifest",
  argument: "FILE",
  description: "The manifest of a zip or folder (default: NAME.manifest.json beside it)",
};
export const KEY: Flag = {
  name: "--key",
  argument: "FILE",
  description: "The public key that must have signed (default: that of this computer)",
};
export const ZIP: Flag = {
  name: "--zip",
  argument: "FILE",
  description: "Write the zip instead, with its manifest and its packages beside it",
};
export const NO_EVIDENCE: Flag = {
  name: "--no-evidence",
  description: "Check signature and files alone, and execute nothing",
};
