/** Loaded into every Node process of the docs' computer: leads the names of providers to loopback, and nothing elsewhere. */
import { existsSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";

const folder = process.env.DOCS_NETWORK ?? "";
const LOOPBACK = ["127.0.0.1", "::1", "localhost"];
const connect = Socket.prototype.connect;

Socket.prototype.connect = function (...args) {
  const [first] = args;
  const options = Array.isArray(first) ? first[0] : first;
  if (typeof options !== "object" || options.port === undefined) return connect.apply(this, args);
  const led = { ...options, ...placeOf(options.host ?? "localhost", Number(options.port)) };
  if (!Array.isArray(first)) return connect.call(this, led, ...args.slice(1));
  // Node marks what it has normalized with a symbol.
  first[0] = led;
  return connect.apply(this, args);
};

/** A port of this computer is another one's only where a stand-in said that it listens there. */
function placeOf(host, port) {
  const { names, port: server } = JSON.parse(readFileSync(join(folder, "network.json"), "utf8"));
  if (LOOPBACK.includes(host))
    return existsSync(join(folder, `port-${port}`)) ? { host: "127.0.0.1", port: server } : {};
  if (names.includes(host)) return { host: "127.0.0.1", port: server };
  // Nothing listens on port 1: what the docs do not name is not reached.
  return { host: "127.0.0.1", port: 1 };
}
