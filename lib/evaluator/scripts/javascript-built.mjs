// Which paths a build could make: what the project ignores, publishes or names as an output without having it.
import { posix } from "node:path";

/** Folders and names that hold nothing written by hand. */
const BUILT =
  /(?:^|\/)(?:dist|build|out|gen|generated|__generated__|node_modules|\.[^/]+)(?:\/|$)|[._-](?:generated|gen|pb|min)(?:\.|$)/;
const LINES = 500;

export function createBuilt(tree, read) {
  const folders = new Set(tree.flatMap(foldersAbove));
  let patterns;
  return (path) => {
    if (BUILT.test(path)) return true;
    patterns ??= patternsIn(tree, read);
    return [path, ...foldersAbove(path)].some(
      // A folder in which the tree has files is not made as a whole.
      (part) => !folders.has(part) && patterns.some((pattern) => pattern.test(part)),
    );
  };
}

function foldersAbove(path) {
  const found = [];
  for (let folder = posix.dirname(path); folder !== "."; folder = posix.dirname(folder)) found.push(folder);
  return found;
}

function patternsIn(tree, read) {
  return tree.flatMap((path) => {
    const folder = posix.dirname(path);
    const name = posix.basename(path);
    if (name === ".gitignore") return ignored(folder, read(path));
    if (/^tsconfig[^/]*\.json$/.test(name)) return outputs(folder, read(path));
    return name === "package.json" ? published(folder, read(path)) : [];
  });
}

function ignored(folder, text) {
  const lines = text.split("\n").slice(0, LINES);
  return lines.flatMap((line) => {
    const pattern = line.trim();
    if (pattern === "" || /^[#!]/.test(pattern) || pattern.length > 200 || pattern.split("*").length > 6) return [];
    const plain = pattern.replace(/^\//, "").replace(/\/$/, "");
    const anchored = plain.includes("/") || pattern.startsWith("/");
    return plain === "" || /^\*+$/.test(plain) ? [] : [patternOf(folder, plain, anchored)];
  });
}

function outputs(folder, text) {
  const named = text.matchAll(/"(?:outDir|declarationDir|outFile)"\s*:\s*"([^"]{1,200})"/g);
  return [...named].flatMap(([, output]) => placed(folder, output));
}

const BUILDS = /^(?:pre|post)?(?:build|compile|bundle|generate|gen|codegen|prepare|prepack|test|types)(?:[:.-].*)?$/;

/** What a package with a build points at, and files that its build names. */
function published(folder, text) {
  const { main, module, types, typings, bin, exports, files, scripts } = manifestOf(text);
  const builds = Object.entries(scripts ?? {}).filter(([name]) => BUILDS.test(name) && name !== "test");
  if (builds.length === 0) return [];
  const words = strings(builds.map(([, script]) => script)).flatMap((script) => script.split(/[\s"'=;&|()]+/));
  const made = words.filter((word) => /\w\.(?:[cm]?[jt]s|json|css)$/.test(word)).slice(0, LINES);
  const named = strings([main, module, types, typings, bin, exports, files]);
  return [...named, ...made].flatMap((path) => placed(folder, path));
}

/** Of a path that is written in a setting: itself, under any ending. */
function placed(folder, written) {
  const path = posix.join(written).replace(/\/$/, "");
  if (path === "." || path.startsWith("..") || /^[/*]|\*.*\*/.test(path)) return [];
  return [patternOf(folder, path.replace(/(?:\.d)?\.(?:[cm]?[jt]sx?)$/, ""), true)];
}

function patternOf(folder, glob, anchored) {
  const words = glob
    .split(/(\*\*\/|\*+|\?)/)
    .map((part) =>
      part === "**/" ? "(?:.*/)?" : part.startsWith("*") ? "[^/]*" : part === "?" ? "[^/]" : escaped(part),
    );
  const above = folder === "." ? "" : `${escaped(folder)}/`;
  return new RegExp(`^${above}${anchored ? "" : "(?:.*/)?"}${words.join("")}(?:(?:\\.d)?\\.[cm]?[jt]sx?)?$`);
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function strings(value) {
  if (typeof value === "string") return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(strings) : [];
}

function manifestOf(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
