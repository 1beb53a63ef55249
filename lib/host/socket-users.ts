/** Which users of this computer are at the ends of loopback connections, where the system says so: Linux does. */
import { readFile } from "node:fs/promises";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
const ESTABLISHED = "01";
const LISTENS = "0A";

interface Row {
  local: string;
  remote: string;
  state: string;
  uid: number;
}

/** Whether the other end of a connection that this process accepted is a live socket of this user. */
export async function isOwnPeer(socket: {
  remoteAddress?: string | undefined;
  remotePort?: number | undefined;
  localPort?: number | undefined;
}): Promise<boolean> {
  const { remoteAddress = "", remotePort = 0, localPort = 0 } = socket;
  const user = process.getuid?.();
  const from = ends(remoteAddress, remotePort);
  const rows = (await tableRows()).filter(
    ({ local, remote, state }) => state === ESTABLISHED && from.includes(local) && portOf(remote) === localPort,
  );
  return user !== undefined && rows.length > 0 && rows.every(({ uid }) => uid === user);
}

/** Whose servers listen on the port; undefined: the system does not say, or none does. */
export async function listenersOn(port: number): Promise<number[] | undefined> {
  const rows = (await tableRows()).filter(({ local, state }) => state === LISTENS && portOf(local) === port);
  return rows.length > 0 ? rows.map(({ uid }) => uid) : undefined;
}

/** A socket that its process has closed has no inode, and is shown as root's. */
async function tableRows(): Promise<Row[]> {
  const texts = await Promise.all(TABLES.map((path) => readFile(path, "latin1").catch(() => "")));
  return texts.flatMap((text) => text.split("\n").slice(1).flatMap(rowOf));
}

function rowOf(line: string): Row[] {
  const [, local = "", remote = "", state = "", , , , uid, , inode = "0"] = line.trim().split(/\s+/);
  return inode === "0" ? [] : [{ local, remote, state, uid: Number(uid) }];
}

const portOf = (end: string): number => Number.parseInt(end.slice(end.indexOf(":") + 1), 16);

/** As the tables write an address, which programs for both versions of the protocol have in the second of them. */
function ends(address: string, port: number): string[] {
  const bytes = address
    .replace(/^::ffff:/, "")
    .split(".")
    .map(Number);
  if (bytes.length !== 4) return [];
  const host = bytes.toReversed().map(hex).join("");
  const end = port.toString(16).toUpperCase().padStart(4, "0");
  return [`${host}:${end}`, `0000000000000000FFFF0000${host}:${end}`];
}

const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, "0");
