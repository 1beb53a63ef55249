/** Where a link in foreign Markdown may lead: to the web, or to a file of the run. Pure. */

export type LinkTarget = { url: string } | { path: string };

/** Stands for the top folder of a run. */
const TOP = "http://files.invalid/";

const WEB = new Set(["http:", "https:", "mailto:"]);

/** `from`: the file that has the link. Undefined: the link is shown as text. */
export function linkTarget(href: string, from: string): LinkTarget | undefined {
  const base = TOP + from.split("/").map(encodeURIComponent).join("/");
  if (href.startsWith("#") || !URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  if (url.href.startsWith(TOP)) return pathOf(url.pathname.slice(1));
  if (!WEB.has(url.protocol)) return undefined;
  // A name before the host makes readers take it for the host.
  [url.username, url.password] = ["", ""];
  return { url: url.href };
}

function pathOf(written: string): LinkTarget | undefined {
  try {
    return written === "" ? undefined : { path: decodeURIComponent(written) };
  } catch {
    return undefined;
  }
}
