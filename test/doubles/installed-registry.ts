/** A registry on loopback that has what is installed here, for commands of npm that install the packed program. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../house-rules.ts";

export interface InstalledRegistry {
  url: string;
  stop(): Promise<void>;
}

export async function startInstalledRegistry(): Promise<InstalledRegistry> {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-registry-"));
  const server = createServer((request, response) => {
    const [name = "", wanted] = decodeURIComponent(request.url ?? "/")
      .slice(1)
      .split("/-/");
    const installed = join(projectRoot, "node_modules", name);
    if (name === "" || !existsSync(join(installed, "package.json"))) return void response.writeHead(404).end("{}");
    if (wanted) return void response.end(tarball(installed, join(folder, name)));
    response.setHeader("content-type", "application/json").end(JSON.stringify(packument(installed, urlOf(server))));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: urlOf(server),
    async stop() {
      server.closeAllConnections();
      await once(server.close(), "close");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const urlOf = (server: ReturnType<typeof createServer>): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function packument(installed: string, url: string) {
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const { name, version, dependencies = {}, bin, engines } = manifest;
  const dist = { tarball: `${url}/${name}/-/${version}.tgz` };
  const versions = {
    [version]: { name, version, dependencies, ...(bin ? { bin } : {}), ...(engines ? { engines } : {}), dist },
  };
  return { name, "dist-tags": { latest: version }, versions };
}

/** Its files are in the folder `package`, as in every archive of npm. */
function tarball(installed: string, place: string): Buffer {
  mkdirSync(place, { recursive: true });
  if (!existsSync(join(place, "package"))) symlinkSync(installed, join(place, "package"));
  return execFileSync("tar", ["-czhf", "-", "-C", place, "package"], { maxBuffer: 2 ** 28 });
}
