/** Packages that Go, Rust and Maven projects declare. Pure. */
import { parse } from "smol-toml";
import {
  type DeclaredPackage,
  exactVersion,
  isRecord,
  listIn,
  manifestLines,
  recordIn,
  textBefore,
  textIn,
} from "./declared-package.ts";

export function readGoMod(text: string): DeclaredPackage[] {
  const found: DeclaredPackage[] = [];
  let isInBlock = false;
  for (const line of manifestLines(text)) {
    const words = textBefore(line, line.indexOf("//")).trim().split(/\s+/);
    if (words[0] === "require" && words[1] === "(") isInBlock = true;
    else if (words[0] === ")") isInBlock = false;
    else {
      const [name, version] = words[0] === "require" ? words.slice(1) : isInBlock ? words : [];
      if (name !== undefined && version !== undefined) found.push({ ecosystem: "golang", name, version });
    }
  }
  return found;
}

const CARGO = [
  { field: "dependencies", isForDevelopment: false },
  { field: "build-dependencies", isForDevelopment: true },
  { field: "dev-dependencies", isForDevelopment: true },
];

export function readCargoToml(text: string): DeclaredPackage[] {
  const toml: unknown = parse(text);
  const targets = Object.values(recordIn(toml, "target"));
  return [toml, recordIn(toml, "workspace"), ...targets].flatMap((place) =>
    CARGO.flatMap(({ field, isForDevelopment }) =>
      Object.entries(recordIn(place, field)).flatMap(([alias, wanted]) => {
        if (isRecord(wanted) && (wanted.path !== undefined || wanted.workspace !== undefined)) return [];
        const range = typeof wanted === "string" ? wanted : textIn(wanted, "version");
        const version = range?.startsWith("=") ? exactVersion(range.slice(1)) : undefined;
        return [
          { ecosystem: "cargo" as const, name: textIn(wanted, "package") ?? alias, version, range, isForDevelopment },
        ];
      }),
    ),
  );
}

/** What has no source is the project itself. */
export function readCargoLock(text: string): DeclaredPackage[] {
  return listIn(parse(text), "package").flatMap((each) => {
    if (textIn(each, "source") === undefined) return [];
    const checksum = textIn(each, "checksum") ?? "";
    const hash = /^[0-9a-f]{64}$/.test(checksum) ? { alg: "SHA-256" as const, content: checksum } : undefined;
    return [{ ecosystem: "cargo" as const, name: textIn(each, "name") ?? "", version: textIn(each, "version"), hash }];
  });
}

/** Versions that properties hold stay open. Managed dependencies are declared too. */
export function readPom(text: string): DeclaredPackage[] {
  return withoutComments(text)
    .split("<dependency>")
    .slice(1)
    .flatMap((part) => {
      const [block = ""] = part.split("</dependency>", 1);
      const tag = (name: string): string | undefined =>
        block.split(`<${name}>`, 2)[1]?.split(`</${name}>`, 1)[0]?.trim();
      const [group, artifact, version, scope] = ["groupId", "artifactId", "version", "scope"].map(tag);
      if (group === undefined || artifact === undefined) return [];
      return [
        { ecosystem: "maven" as const, name: `${group}/${artifact}`, version, isForDevelopment: scope === "test" },
      ];
    });
}

const withoutComments = (xml: string): string => {
  const [first = "", ...parts] = xml.split("<!--");
  const after = parts.map((part) => (part.includes("-->") ? part.slice(part.indexOf("-->") + 3) : ""));
  return [first, ...after].join("");
};
