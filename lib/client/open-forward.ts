/** Opens the way on to an API: signed with the credentials that the AWS tools would find, where it is not on this computer. */
import { readAddress } from "./address.ts";
import { findCredentials } from "./credentials.ts";
import { createForward } from "./forward.ts";

export async function openForward(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<(request: Request) => Promise<Response>> {
  const address = readAddress(url, env);
  const { region } = address;
  if (region === undefined) return createForward({ address });
  const { createSigner } = await import("./sign.ts");
  return createForward({ address, sign: createSigner({ credentials: findCredentials(), region, now: Date.now }) });
}
