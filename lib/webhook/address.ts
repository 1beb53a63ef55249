/** Which addresses a notification may be sent to: addresses of this computer or its network are refused. */
import { BlockList, isIPv4 } from "node:net";

export type Reach = "public" | "loopback" | "private" | "never";

/** Addresses of no receiver: unspecified, link-local (cloud metadata), multicast, reserved. */
const NEVER = listOf(
  ["0.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.51.100.0/24"],
  ["203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
);
const LOOPBACK = listOf(["127.0.0.0/8"]);
/** Private networks, carrier-grade NAT (100.64) and benchmarking (198.18). */
const PRIVATE = listOf(["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "198.18.0.0/15"]);

const LOOPBACK_6 = listOf(["::1/128"]);
/** Instance metadata of AWS, inside the private range. */
const NEVER_6 = listOf(["fd00:ec2::/32"]);
const PRIVATE_6 = listOf(["fc00::/7"]);
const GLOBAL_6 = listOf(["2000::/3"]);
/** Inside the global range: tunnels to an arbitrary IPv4 address, documentation. */
const NOT_GLOBAL_6 = listOf(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

/** `address`: an IP address, as a resolver gives it. */
export const reachOf = (address: string): Reach => (isIPv4(address) ? reachOf4(address) : reachOf6(address));

function reachOf4(address: string): Reach {
  if (NEVER.check(address)) return "never";
  if (LOOPBACK.check(address)) return "loopback";
  return PRIVATE.check(address) ? "private" : "public";
}

/** Refuses everything that is not known to be global, including mapped, compatible and translated IPv4 addresses. */
function reachOf6(address: string): Reach {
  const isIn = (list: BlockList): boolean => list.check(address, "ipv6");
  if (isIn(LOOPBACK_6)) return "loopback";
  if (isIn(NEVER_6)) return "never";
  if (isIn(PRIVATE_6)) return "private";
  return isIn(GLOBAL_6) && !isIn(NOT_GLOBAL_6) ? "public" : "never";
}

function listOf(...ranges: string[][]): BlockList {
  const list = new BlockList();
  for (const range of ranges.flat()) {
    const [net = "", prefix = ""] = range.split("/");
    list.addSubnet(net, Number(prefix), isIPv4(net) ? "ipv4" : "ipv6");
  }
  return list;
}

/** Why the address is refused; undefined if it is allowed. */
export function refusalOfAddress(address: string, to: { protocol: string; allowPrivate: boolean }): string | undefined {
  const reach = reachOf(address);
  if (reach === "never") return "its address is not one that a receiver can have";
  if (reach !== "public" && !to.allowPrivate) return "its address is a private one, and allowPrivate is not set";
  if (to.protocol !== "https:" && reach !== "loopback") return "http is allowed for loopback only; use https";
  return undefined;
}
