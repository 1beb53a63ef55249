/** Packages for tests: a folder of wheels, and a registry of npm packages on the loopback. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync, strToU8, zipSync } from "fflate";

/** A wheel with one module of the package's name, whose `__version__` is its version, and with further files. */
export function writeWheel(
  folder: string,
  name: string,
  version: string,
  { requires = [], ...files }: { requires?: string[]; [path: `${string}.${string}`]: string } = {},
): void {
  const info = `${name}-${version}.dist-info`;
  const required = requires.map((one) => `Requires-Dist: ${one}\n`).join("");
  const modules: Record<string, string> = {
    [`${name}/__init__.py`]: `__version__ = "${version}"\n`,
    ...files,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${required}`,
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
  };
  const record = [...Object.keys(modules), `${info}/RECORD`].map((path) => `${path},,`).join("\n");
  const all = { ...modules, [`${info}/RECORD`]: record };
  const zip = zipSync(Object.fromEntries(Object.entries(all).map(([path, text]) => [path, strToU8(text)])));
  writeFileSync(join(folder, `${name}-${version}-py3-none-any.whl`), zip);
}

/** A version of a Go module, as a module proxy in a folder keeps it. */
export function writeGoModule(folder: string, [name, version]: [string, string], files: Record<string, string>): void {
  const place = join(folder, name, "@v");
  mkdirSync(place, { recursive: true });
  const { "go.mod": mod = `module ${name}\n\ngo 1.21\n`, ...rest } = files;
  const all = Object.entries({ "go.mod": mod, ...rest });
  const zip = zipSync(Object.fromEntries(all.map(([path, text]) => [`${name}@${version}/${path}`, strToU8(text)])));
  writeFileSync(join(place, "list"), `${version}\n`);
  writeFileSync(join(place, `${version}.info`), JSON.stringify({ Version: version, Time: "2020-01-01T00:00:00Z" }));
  writeFileSync(join(place, `${version}.mod`), mod);
  writeFileSync(join(place, `${version}.zip`), zip);
}

/** Serves version 1.0.0 of each package, and others as `name@1.1.0`: a module that exports its own name. Some ask for others. */
export async function serveNpmPackages(
  names: string[],
  dependencies: Record<string, Record<string, string>> = {},
): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const [, name = "", version = ""] =
      /^\/([^/]*(?:\/(?!-\/)[^/]*)?)(?:\/-\/.*?-(\d[^-]*)\.tgz)?$/.exec(request.url ?? "") ?? [];
    const served = names.flatMap((one) =>
      one === name ? ["1.0.0"] : one.startsWith(`${name}@`) ? [one.slice(name.length + 1)] : [],
    );
    if (served.length === 0) return void response.writeHead(404).end("{}");
    if (version !== "") return void response.end(tarball(name, version));
    const { port } = server.address() as AddressInfo;
    const about = (each: string) => ({
      ...{ name, version: each, dependencies: dependencies[name], scripts: { postinstall: "touch ran-a-script" } },
      dist: { integrity: integrityOf(name, each), tarball: `http://127.0.0.1:${port}/${name}/-/${name}-${each}.tgz` },
    });
    const versions = Object.fromEntries(served.map((each) => [each, about(each)]));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name, "dist-tags": { latest: served.at(-1) }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

export const integrityOf = (name: string, version = "1.0.0"): string =>
  `sha512-${createHash("sha512").update(tarball(name, version)).digest("base64")}`;

function tarball(name: string, version: string): Buffer {
  const manifest = { name, version, main: "index.js", scripts: { postinstall: "touch ran-a-script" } };
  const files = {
    "package/package.json": JSON.stringify(manifest),
    "package/index.js": `module.exports = "${name}";\n`,
  };
  const blocks = Object.entries(files).flatMap(([path, text]) => [tarHeader(path, text.length), padded(text)]);
  return Buffer.from(gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]), { mtime: 0 }));
}

const padded = (text: string): Buffer =>
  Buffer.concat([Buffer.from(text), Buffer.alloc((512 - (text.length % 512)) % 512)]);

function tarHeader(path: string, size: number): Buffer {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write("0000644\0", 100);
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}
