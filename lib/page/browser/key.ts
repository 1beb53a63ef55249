/** The key that stood in the address with which the page was opened: kept for this tab, and out of sight. */

const KEPT = "l2mac-key";

export function keyOfPage(): string | undefined {
  const url = new URLSearchParams(location.hash.slice(1));
  const given = url.get("key");
  if (given) {
    sessionStorage.setItem(KEPT, given);
    url.delete("key");
    history.replaceState(null, "", `#${url}`);
  }
  return sessionStorage.getItem(KEPT) ?? undefined;
}
