/** What a project finds in the evaluator's image: nothing is installed there, so what it asks for is compared with that. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { noEnvironment, type ProjectEnvironment } from "../../lib/evaluator/language.ts";
import { nodeWanted } from "../../lib/evaluator/languages/javascript/install-node.ts";
import { pythonWanted } from "../../lib/evaluator/languages/python/python-manifests.ts";
import { written } from "../../lib/evaluator/packages/install-available.ts";
import {
  availableWords,
  type InstalledPackages,
  nodePackagesIn,
  pythonPackagesIn,
} from "../../lib/evaluator/packages/installed-packages.ts";
import { nameKey, type Requirements } from "../../lib/evaluator/packages/manifests.ts";
import { fitsNode, fitsPython } from "../../lib/evaluator/packages/version-wanted.ts";

export interface Image {
  /** The folder of npm packages; it need not be there. */
  nodeModules: string;
  /** The folders in which Python looks for packages. */
  pythonLibraries: () => string[];
}

export function createImageEnvironment(image: Image): (projectFolder: string) => Promise<ProjectEnvironment> {
  return async (projectFolder) => {
    const [python, node] = [await pythonWanted(projectFolder), await nodeWanted(projectFolder)];
    const has = {
      python: python.requirements.size > 0 ? await pythonPackagesIn(image.pythonLibraries()) : new Map(),
      node: node.requirements.size > 0 ? await nodePackagesIn(image.nodeModules) : new Map(),
    };
    const missing = [
      ...[...python.refused, ...node.refused],
      ...lacking(python.requirements, byKey(has.python), fitsPython),
      ...lacking(node.requirements, has.node, fitsNode),
    ];
    const { nodeModules } = image;
    const installed = existsSync(nodeModules);
    return {
      ...noEnvironment,
      path: installed ? [join(nodeModules, ".bin")] : [],
      nodeModules: installed ? [{ below: "", folder: nodeModules }] : [],
      missing,
      available: availableWords([has.python, has.node], [...python.requirements.keys(), ...node.requirements.keys()]),
    };
  };
}

const byKey = (installed: InstalledPackages): InstalledPackages =>
  new Map([...installed].map(([name, version]) => [nameKey(name), version]));

function lacking(
  wanted: Requirements,
  has: InstalledPackages,
  fits: (version: string, wanted: string) => boolean,
): string[] {
  return [...wanted].flatMap(([name, requirement]) => {
    const version = has.get(name);
    if (version !== undefined)
      return fits(version, requirement) ? [] : [`${written(name, requirement)}: the evaluator's image has ${version}`];
    // A condition may well say that it is not wanted here.
    return requirement.includes(";") ? [] : [`${written(name, requirement)}: not in the evaluator's image`];
  });
}
