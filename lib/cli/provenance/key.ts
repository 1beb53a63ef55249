/** `l2mac key show`: the public key with which deliveries of this computer, or of a stack, are verified elsewhere. */
import { createPublicKey, type KeyObject } from "node:crypto";
import { UserError } from "../../core/errors.ts";
import { createKeySigner, keyIdOf, pemOf, signingKeyPath } from "../../host/signing-key.ts";
import type { Arguments, Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { saidAddress } from "../runs/remote-address.ts";
import { JSON_OUTPUT, REMOTE } from "../settings/flags.ts";
import { usage } from "../settings/parse.ts";

export const key: Command = async (given, shell) => {
  const { words, flags } = given;
  if (words[0] !== "show") throw usage({ name: "key" }, "key takes the word show.");
  const isRemote = flags.has(REMOTE.name) || saidAddress(flags, shell) !== undefined;
  const shown = isRemote ? await remoteKey(given, shell) : await ownKey(shell);
  const [keyid, publicKey] = [keyIdOf(shown.key), pemOf(shown.key)];
  const algorithm = shown.key.asymmetricKeyType === "ed25519" ? "ed25519" : "ecdsa-p256-sha256";
  if (flags.has(JSON_OUTPUT.name)) shell.out(`${JSON.stringify({ keyid, algorithm, publicKey })}\n`);
  else {
    shell.say(`Key ${keyid}; ${shown.where}.`);
    shell.out(publicKey);
  }
  return 0;
};

interface ShownKey {
  key: KeyObject;
  where: string;
}

async function ownKey({ env }: Shell): Promise<ShownKey> {
  const { pem } = await createKeySigner(env).publicKey();
  return { key: createPublicKey(pem), where: `its private half is in ${signingKeyPath(env)}` };
}

/** The request is signed, and answered over TLS: what it shows is the key of that stack. */
async function remoteKey(given: Arguments, shell: Shell): Promise<ShownKey> {
  const { connect } = await import("../runs/connection.ts");
  const connection = await connect(given, shell);
  const pem = await connection.signingKey();
  if (pem === undefined) {
    throw new UserError(`No manifests are signed ${connection.where}.`, {
      exitCode: 1,
      remedy: 'Set "signing": {"kms": true} in l2mac.cloud.json, and deploy again; the key costs $1 a month.',
    });
  }
  return { key: publicKeyIn(pem), where: `it signs the deliveries ${connection.where}` };
}

/** What a server answers may be anything. */
function publicKeyIn(pem: string): KeyObject {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === "ed25519" || key.asymmetricKeyDetails?.namedCurve === "prime256v1") return key;
  } catch {
    // Said below, for both.
  }
  throw new UserError("The server did not answer with a public key of ed25519 or ECDSA on P-256.", {
    exitCode: 6,
    remedy: "Nothing was changed. Check the address, and that the server and this program are of the same version.",
  });
}
