/** Makes the page of its sources: one script, one style, nothing from elsewhere. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BuildOptions } from "esbuild";
import { CHART_STYLE, PAGE_COLOURS } from "./charts/style.ts";

export type PageFile = "index.html" | "main.js" | "main.css";

const source = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export const PAGE_BUILD = {
  entryPoints: { main: source("main.tsx"), style: source("style.css") },
  outdir: "/",
  write: false,
  bundle: true,
  // Behind the door of the book there is more than its reader of Markdown: what makes a file of it is left out again.
  external: ["node:*"],
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "silent",
} satisfies BuildOptions;

export async function buildPage(): Promise<Record<PageFile, string>> {
  // A package has the page built, and no esbuild.
  const { build } = await import("esbuild");
  const { outputFiles } = await build(PAGE_BUILD);
  const made = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
  return {
    "index.html": await readFile(source("index.html"), "utf8"),
    "main.js": made("main.js"),
    "main.css": `${PAGE_COLOURS}${made("style.css")}${CHART_STYLE}`,
  };
}
