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

/** `unknown`: the system does not say, the other end is closed already, or it is a program of root, as relays are. */
export type Peer = "own" | "other" | "unknown";

/** Whose live socket is at the other end of a connection that this process accepted. */
export async function peerOf(socket: {
  remoteAddress?: string | undefined;
  remotePort?: number | undefined;
  localPort?: number | undefined;
}): Promise<Peer> {
  const { remoteAddress = "", remotePort = 0, localPort = 0 } = socket;
  const user = process.getuid?.();
  const from = ends(remoteAddress, remotePort);
  const rows = (await nextRows()).filter(
    ({ local, remote, state }) => state === ESTABLISHED && from.includes(local) && portOf(remote) === localPort,
  );
  if (user === undefined || rows.length === 0) return "unknown";
  if (rows.every(({ uid }) => uid === user)) return "own";
  return rows.some(({ uid }) => uid !== user && uid !== 0) ? "other" : "unknown";
}

let reading: Promise<unknown> = Promise.resolve();
let next: Promise<Row[]> | undefined;

/** Read after it is asked for, and one at a time: connections that come meanwhile share the next one. */
function nextRows(): Promise<Row[]> {
  next ??= reading.then(() => {
    next = undefined;
    const rows = tableRows();
    reading = rows;
    return rows;
  });
  return next;
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
