/** `l2mac key show`: the public key with which deliveries of this computer are verified elsewhere. */
import { createPublicKey } from "node:crypto";
import { createKeySigner, keyIdOf, signingKeyPath } from "../../host/signing-key.ts";
import type { Command } from "../command.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { usage } from "../settings/parse.ts";

export const key: Command = async ({ words, flags }, shell) => {
  if (words[0] !== "show") throw usage({ name: "key" }, "key takes the word show.");
  const pem = await createKeySigner(shell.env).publicKey();
  const keyid = keyIdOf(createPublicKey(pem));
  if (flags.has(JSON_OUTPUT.name)) shell.out(`${JSON.stringify({ keyid, algorithm: "ed25519", publicKey: pem })}\n`);
  else {
    shell.say(`Key ${keyid}; its private half is in ${signingKeyPath(shell.env)}.`);
    shell.out(pem);
  }
  return 0;
};
