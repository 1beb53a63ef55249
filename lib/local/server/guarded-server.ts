/** A server on loopback for its user and its page. Others of the web can send requests there too, and are kept out. */
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { problemResponse, Refused } from "../../api/problem.ts";
import { messageOf, UserError } from "../../core/errors.ts";
import { proofOf } from "../../host/server-records.ts";
import type { Peer } from "../../host/socket-users.ts";
import { codeOf } from "../../host/storage-errors.ts";
import { CODE_HEADER, mayHaveToken, NOT_LET_IN, whyForeign, whyKeyless, whyUnauthorised } from "./guard.ts";
import type { OpeningCodes } from "./opening-codes.ts";
import { createPageFiles } from "./page-files.ts";

type Why = { status: 400 | 403 | 404 | 415; detail: string };

export interface RequestPass {
  requestId: string;
  refuse: (why: Why) => Response;
  /** The refusal of a request that is not allowed; undefined for one that is. */
  authorised: () => Response | undefined;
}

export interface GuardedParts {
  /** 0 takes a free one. */
  port: number;
  /** Takes a free one where the port is taken. */
  orFree?: boolean | undefined;
  /** Answers only those who have its key, which is given for each of these once. Absent: its own pages may ask for it. */
  codes?: OpeningCodes | undefined;
  /**
   * Connections of its own user need no key; those of other users are ended before a request is read. Absent: where
   * there are codes, all need the key.
   */
  peerOf?: ((socket: Socket) => Promise<Peer>) | undefined;
  answer: (request: Request, passing: RequestPass) => Promise<Response>;
  /** How its user typed this command, for what the page says to do next. Absent: by its name alone. */
  typed?: string | undefined;
  say: (line: string) => void;
}

export interface GuardedServer {
  url: string;
  /** Of this start. */
  key: string;
  /** No new requests. */
  close(): void;
  /** Those that still wait are ended. */
  cutOff(): void;
}

export async function openGuardedServer(parts: GuardedParts): Promise<GuardedServer> {
  const key = randomBytes(32).toString("base64url");
  let port = 0;
  const peers = new WeakMap<Socket, Peer>();
  const gate = createGate(parts, { key, port: () => port, peers });
  const server = createAdaptorServer({
    fetch: async (request, { incoming }) => {
      const requestId = randomUUID();
      try {
        return await gate(request, { requestId, socket: incoming.socket });
      } catch (error) {
        parts.say(`Request ${requestId} failed: ${messageOf(error)}`);
        return problemResponse(error, requestId);
      }
    },
    serverOptions: HEAD_LIMITS,
  }) as Server;
  server.maxConnections = MOST_CONNECTIONS;
  if (parts.peerOf) refuseOthers(server, peers, parts.peerOf);
  port = await listen(server, parts);
  return {
    url: `http://127.0.0.1:${port}`,
    key,
    close: () => void server.close(),
    cutOff: () => server.closeAllConnections(),
  };
}

/** A request's head must come soon, and all of it in time; they are looked at each second. */
const HEAD_LIMITS = { headersTimeout: 5_000, requestTimeout: 60_000, connectionsCheckingInterval: 1_000 };
const MOST_CONNECTIONS = 1_024;

/** Nothing that another user sends is parsed: the connection is given to HTTP only when it is known whose it is. */
function refuseOthers(server: Server, peers: WeakMap<Socket, Peer>, peerOf: (socket: Socket) => Promise<Peer>): void {
  const takers = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", async (socket: Socket) => {
    // Until HTTP listens to it: an end without a word is none of this process.
    const ignore = (): void => {};
    socket.on("error", ignore);
    const peer = await peerOf(socket).catch(() => "unknown" as const);
    if (peer === "other") return void socket.destroy();
    peers.set(socket, peer);
    for (const take of takers) take.call(server, socket);
    socket.off("error", ignore);
  });
}

interface Arrival {
  requestId: string;
  socket: Socket;
}

interface Known {
  key: string;
  port: () => number;
  peers: WeakMap<Socket, Peer>;
}

function createGate({ codes, peerOf, answer, typed = "l2mac" }: GuardedParts, { key, port, peers }: Known) {
  const pageFile = createPageFiles(typed);
  const needsKey = (socket: Socket): boolean => (peerOf ? peers.get(socket) !== "own" : codes !== undefined);
  return async (request: Request, { requestId, socket }: Arrival): Promise<Response> => {
    const refuse = ({ status, detail }: Why): Response => problemResponse(new Refused(status, detail), requestId);
    const foreign = whyForeign(request, port());
    if (foreign) return refuse(foreign);
    const page = await pageFile(request);
    if (page) return page;
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/proof") return new Response(proofOf(key, searchParams.get("nonce") ?? ""));
    const keyless = needsKey(socket) ? whyKeyless(request, key, peerOf !== undefined) : undefined;
    if (pathname === "/token")
      return !needsKey(socket) && mayHaveToken(request) ? secretAnswer({ token: key }) : refuse(PAGES_ONLY);
    if (pathname === "/code" && codes)
      return whyKeyless(request, key, true) ? refuse(PAGES_ONLY) : secretAnswer({ code: codes.make() });
    if (pathname === "/key" && codes)
      return mayHaveKey(request, codes)
        ? secretAnswer({ key })
        : refuse(mayHaveToken(request) ? NOT_LET_IN : PAGES_ONLY);
    const authorised = (): Response | undefined => {
      const why = keyless ?? whyUnauthorised(request, key);
      return why && refuse(why);
    };
    return answer(request, { requestId, refuse, authorised });
  };
}

const secretAnswer = (secret: Record<string, string>): Response =>
  Response.json(secret, { headers: { "cache-control": "no-store" } });

const mayHaveKey = (request: Request, codes: OpeningCodes): boolean =>
  request.method === "POST" && mayHaveToken(request) && codes.use(request.headers.get(CODE_HEADER) ?? "");

const PAGES_ONLY = { status: 403, detail: "The token is for pages of this server; commands need none." } as const;

async function listen(server: Server, { port, orFree }: Pick<GuardedParts, "port" | "orFree">): Promise<number> {
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if (orFree && codeOf(error) === "EADDRINUSE") return listen(server, { port: 0 });
    throw new UserError(`Port ${port} cannot be used: ${messageOf(error)}.`, {
      exitCode: 3,
      remedy: "Give --port another number (0 takes a free one).",
      cause: error,
    });
  }
  return (server.address() as AddressInfo).port;
}
