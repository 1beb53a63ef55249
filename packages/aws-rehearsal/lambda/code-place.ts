/** Locates a function's code on this computer: the folder of its zip, or of its image with one for temporary files. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { FunctionDeclaration } from "./function-declaration.ts";
import { imagePaths } from "./function-environment.ts";
import { type Image, layImage } from "./image-layout.ts";

export interface CodePlace {
  cwd: string;
  handler: string;
  imageEnv: Record<string, string>;
}

export type PlaceOf = (declaration: FunctionDeclaration) => CodePlace;

/** An image is laid out once; each of its processes has a folder for temporary files of its own, as on Lambda. */
export function createCodePlaces(into: string): PlaceOf {
  const images = new Map<string, Image>();
  let processes = 0;
  return ({ logicalId, folder, properties: { PackageType, Handler = "" } }) => {
    if (PackageType === "Zip") return { cwd: folder, handler: Handler, imageEnv: {} };
    const image = images.get(logicalId) ?? layImage(folder, join(into, logicalId));
    images.set(logicalId, image);
    processes += 1;
    const tmp = join(into, `tmp-${processes}`);
    mkdirSync(tmp);
    return { cwd: image.taskRoot, handler: image.handler, imageEnv: imagePaths(image, tmp) };
  };
}
