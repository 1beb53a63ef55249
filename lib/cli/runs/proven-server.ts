/** A server of this computer is asked to show whose it is before a task, a token or a browser goes there. */
import { parsed } from "../../client/address.ts";
import { UserError } from "../../core/errors.ts";
import { isProven, serverAt } from "../../host/server-records.ts";
import { listenersOn } from "../../host/socket-users.ts";
import type { Shell } from "../display/shell.ts";

export interface ProvenServer {
  url: string;
  /** The key of its start. Absent: it knows its user by the connection. */
  token?: string;
}

/** Another user can listen on any port: what does not belong to this one gets nothing. Elsewhere, signatures hold. */
export async function provenServer(given: string, { env }: Pick<Shell, "env">): Promise<ProvenServer> {
  const read = parsed(given);
  if ("problem" in read || read.url.protocol !== "http:") return { url: given };
  // Another listener could have the second address of the name.
  read.url.hostname = "127.0.0.1";
  const url = read.url.href.replace(/(?<!\/)\/+$/, "");
  const port = Number(read.url.port || HTTP_PORT);
  const record = serverAt(env, port);
  if (record && (await isProven(record))) return { url, token: record.key };
  const users = await listenersOn(port);
  if (users === undefined ? process.platform === "linux" : users.every((user) => user === process.getuid?.()))
    return { url };
  throw new UserError(
    `The server at port ${port} of this computer does not show that you started it${users === undefined ? "" : `: it belongs to user ${users.join(", ")}`}. Nothing was sent to it.`,
    {
      exitCode: 3,
      remedy:
        "Start your own with l2mac serve --port 0, and give the address that it prints (L2MAC_API_URL, --remote).",
    },
  );
}

const HTTP_PORT = 80;
