/** Gives out the page: as it was built into the package, or in a clone made of its sources when it is first asked for. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { PageFile } from "../../../packages/page/index.ts";
import { isClone, projectFile } from "../../files/project-files.ts";

type Files = Record<PageFile, string>;

const PATHS: Record<string, { file: PageFile; type: string }> = {
  "/": { file: "index.html", type: "text/html; charset=utf-8" },
  "/page/main.js": { file: "main.js", type: "text/javascript; charset=utf-8" },
  "/page/main.css": { file: "main.css", type: "text/css; charset=utf-8" },
};

/** In the document, replaced by the command as the user of the server typed it. */
const TYPED = "%L2MAC%";

export function createPageFiles(typed: string): (request: Request) => Promise<Response | undefined> {
  let loaded: Promise<[Files, string]> | undefined;
  return async ({ method, url }) => {
    const asked = PATHS[new URL(url).pathname];
    if (!asked || (method !== "GET" && method !== "HEAD")) return undefined;
    loaded ??= Promise.all([pageFiles(), policy()]);
    const [files, securityPolicy] = await loaded;
    const made = files[asked.file];
    const text = asked.file === "index.html" ? made.replaceAll(TYPED, typed) : made;
    const headers = {
      "content-type": asked.type,
      "content-security-policy": securityPolicy,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    };
    return new Response(method === "HEAD" ? null : text, { headers });
  };
}

/**
 * What the page loads comes from this server, nothing that a model wrote can become a script, and no page frames it.
 * A preview of a book inherits the policy: its own style is the only one that is allowed inside a document.
 */
async function policy(): Promise<string> {
  const { styleText } = await import("../../../packages/book/index.ts");
  const bookStyle = `'sha256-${createHash("sha256").update(styleText).digest("base64")}'`;
  return [
    ...["default-src 'none'", "script-src 'self'", `style-src 'self' ${bookStyle}`, "connect-src 'self'"],
    ...["img-src data: blob:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ].join("; ");
}

async function pageFiles(): Promise<Files> {
  if (isClone) {
    const { buildPage } = await import("../../../packages/page/index.ts");
    return buildPage();
  }
  const read = (name: PageFile): Promise<string> => readFile(projectFile(`dist/page/${name}`), "utf8");
  const [html, script, style] = await Promise.all([read("index.html"), read("main.js"), read("main.css")]);
  return { "index.html": html, "main.js": script, "main.css": style };
}
