/** The key of a server that answers those alone who have it: got for the code in the page's address, kept for this tab. */

const KEPT = "l2mac-key";

const inAddress = (): URLSearchParams => new URLSearchParams(location.hash.slice(1));

export const hasKey = (): boolean => inAddress().has("code") || sessionStorage.getItem(KEPT) !== null;

/** `exchange` answers undefined where the code does not hold. Where it gets no answer the code stays, for another try. */
export async function keyOfPage(exchange: (code: string) => Promise<string | undefined>): Promise<string> {
  const code = inAddress().get("code");
  if (code) {
    const key = await exchange(code);
    const url = inAddress();
    url.delete("code");
    history.replaceState(null, "", `#${url}`);
    if (key) sessionStorage.setItem(KEPT, key);
  }
  return sessionStorage.getItem(KEPT) ?? "";
}

export const dropKey = (): void => sessionStorage.removeItem(KEPT);
