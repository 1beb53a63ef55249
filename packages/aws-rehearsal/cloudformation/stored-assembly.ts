/** The assembly of a released version, from `released/`: its template and its functions' code. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { Assembly, Template } from "./assembly.ts";

export const STACKS = fileURLToPath(new URL("../released/", import.meta.url));
export const STORED = ".json.br";

/** In the stored template, where the address of the model server will be. */
export const MODEL_ADDRESS = "https://model.invalid/v1";

interface StoredAssembly {
  template: Template;
  /** Texts by the name that the template has for the code, and by their path in it. */
  code: Record<string, Record<string, string>>;
}

/** One stream for all texts, since they have much in common. */
export const compressAssembly = (stored: StoredAssembly): Uint8Array =>
  brotliCompressSync(JSON.stringify(stored), {
    params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  });

/** The version before this one, or this one while it is developed. */
export function storedVersion(): string {
  const [found, ...others] = readdirSync(STACKS).filter((name) => name.endsWith(STORED));
  if (found === undefined || others.length > 0) throw new Error(`${STACKS} has not exactly one stored stack.`);
  return found.slice(0, -STORED.length);
}

/** The evaluator is that of `images`: images are not stored. */
export function readStoredAssembly(asked: { into: string; address: string; images: Assembly }): Assembly {
  const { into, address, images } = asked;
  const text = brotliDecompressSync(readFileSync(join(STACKS, `${storedVersion()}${STORED}`))).toString();
  const { template, code }: StoredAssembly = JSON.parse(text.replaceAll(MODEL_ADDRESS, address));
  for (const [s3Key, files] of Object.entries(code)) {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(into, s3Key, path)), { recursive: true });
      writeFileSync(join(into, s3Key, path), content);
    }
  }
  const image = images.imageFolder(imageIn(images.template));
  return { stackName: images.stackName, template, codeFolder: (s3Key) => join(into, s3Key), imageFolder: () => image };
}

/** The tag is the hash of what the image is built from. */
function imageIn({ Resources }: Template): string {
  const codes = Object.values(Resources).map(({ Properties }) => JSON.stringify(Properties?.Code ?? {}));
  const [tag] = codes.flatMap((code) => /:[0-9a-f]{64}/.exec(code) ?? []);
  if (tag === undefined) throw new Error("The template has no image.");
  return tag;
}
