/** Third-party emulators of AWS, as `install.sh` installs them into the folder $L2MAC_EMULATORS. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Running, type Server, startServer } from "./leash.ts";

export type { Running };

export interface Emulator {
  /** Its name and version, or why it is missing. */
  title: string;
  isThere: boolean;
  start(): Promise<Running>;
}

const folder = process.env.L2MAC_EMULATORS;

interface Installed extends Server {
  version: string;
}

function emulator(name: string, find: (folder: string) => Installed | undefined): Emulator {
  const installed = folder === undefined ? undefined : find(folder);
  const why = folder === undefined ? "L2MAC_EMULATORS is not set" : `not in ${folder}`;
  return {
    title: installed
      ? `${name} ${installed.version}`
      : `${name} (${why}: packages/aws-rehearsal/emulators/install.sh FOLDER)`,
    isThere: installed !== undefined,
    async start() {
      if (!installed) throw new Error(`${name} is not installed.`);
      return startServer(installed);
    },
  };
}

/** By AWS itself, in Java. */
export const dynamoDbLocal = emulator("DynamoDB Local", (home) => {
  const jars = join(home, "dynamodb-local");
  const [jar] = globSync(join(jars, "DynamoDBLocal-*.jar"));
  if (!jar) return undefined;
  return {
    version: basename(jar).slice("DynamoDBLocal-".length, -".jar".length),
    argv: (port) => [
      ...["java", `-Djava.library.path=${jars}`, "-cp", join(jars, "*")],
      "com.amazonaws.services.dynamodbv2.local.main.ServerRunner",
      ...["-inMemory", "-disableTelemetry", "-port", String(port)],
    ],
    env: { DDB_LOCAL_TELEMETRY: "0" },
  };
});

/** In Rust, on SQLite. */
export const dynoxide = emulator("Dynoxide", (home) => {
  const place = join(home, "node_modules/@dynoxide/linux-x64");
  if (!existsSync(join(place, "dynoxide"))) return undefined;
  return {
    version: JSON.parse(readFileSync(join(place, "package.json"), "utf8")).version,
    argv: (port) => [join(place, "dynoxide"), "serve", "--port", String(port)],
  };
});

/** In Python. */
export const moto = emulator("moto", (home) => {
  const [information] = globSync(join(home, "moto/lib/python*/site-packages/moto-*.dist-info"));
  if (!information) return undefined;
  return {
    version: basename(information).slice("moto-".length, -".dist-info".length),
    argv: (port) => [join(home, "moto/bin/moto_server"), "-H", "127.0.0.1", "-p", String(port)],
  };
});
