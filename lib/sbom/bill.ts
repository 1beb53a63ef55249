/** The bill of materials of a delivery: the packages that it declares, as CycloneDX 1.6. Pure. */

import { purlOf } from "./declared-package.ts";
import type { DeclaredPackages, PlacedPackage } from "./manifests.ts";

export interface BillParts extends DeclaredPackages {
  name: string;
  /** SHA-256 of the delivered zip. */
  zip: string;
  version?: string | undefined;
}

/** The same delivery has the same bill: no time and no chance is in it. */
export function billOf({ name, zip, version, packages, unreadable }: BillParts) {
  const components = componentsOf(packages);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidFrom(zip)}`,
    version: 1,
    metadata: {
      tools: { components: [{ type: "application", name: "l2mac", ...(version === undefined ? {} : { version }) }] },
      component: {
        type: "application",
        "bom-ref": ROOT,
        name,
        hashes: [{ alg: "SHA-256", content: zip }],
        ...(unreadable.length > 0 ? { properties: properties(unreadable.map((path) => ["unreadable", path])) } : {}),
      },
    },
    components,
    dependencies: [{ ref: ROOT, dependsOn: components.map((each) => each["bom-ref"]) }],
    // What packages need in turn is known only where a lock file lists it.
    compositions: [{ aggregate: "incomplete", assemblies: [ROOT] }],
  };
}

const ROOT = "delivery";

function componentsOf(packages: PlacedPackage[]) {
  const byPurl = Map.groupBy(packages, purlOf);
  return [...byPurl].sort(([one], [other]) => (one < other ? -1 : 1)).map(([purl, found]) => component(purl, found));
}

function component(purl: string, found: PlacedPackage[]) {
  const { ecosystem, name, version } = found[0] as PlacedPackage;
  const at = ecosystem === "golang" ? -1 : name.lastIndexOf("/");
  const hash = found.find((each) => each.hash)?.hash;
  const places = [...new Set(found.map(({ path }) => path))].sort();
  const ranges = [...new Set(found.flatMap(({ range }) => (range === undefined ? [] : [range])))].sort();
  return {
    type: "library",
    "bom-ref": purl,
    ...(at > 0 ? { group: name.slice(0, at) } : {}),
    name: name.slice(at + 1),
    ...(version === undefined ? {} : { version }),
    scope: found.every(({ isForDevelopment }) => isForDevelopment) ? "excluded" : "required",
    ...(hash ? { hashes: [hash] } : {}),
    purl,
    properties: properties([
      ...places.map((path): [string, string] => ["declaredIn", path]),
      ...ranges.map((range): [string, string] => ["range", range]),
    ]),
  };
}

const properties = (pairs: [string, string][]) => pairs.map(([name, value]) => ({ name: `l2mac:${name}`, value }));

/** In the form of a UUID that its maker chose (RFC 9562, version 8). */
const uuidFrom = (hash: string): string =>
  [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join(
    "-",
  );
