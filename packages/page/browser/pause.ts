/** Pauses between requests: longer while the tab is hidden, and until a change from this page at most. */

/** What the page can be looked at in. */
export interface Tab extends EventTarget {
  readonly hidden: boolean;
}

export type Pause = (milliseconds: number) => Promise<void>;

const changes = new EventTarget();

/** Ends all pauses: something was changed from this page. */
export const notifyChange = (): void => void changes.dispatchEvent(new Event("change"));

/** It ends, and hears nothing any more, with its signal. */
export function createPause({ signal, tab }: { signal: AbortSignal; tab: Tab }): Pause {
  // A change can come between two rests.
  let isChanged = false;
  let end = (): void => {};
  const endIfSeen = (): void => {
    if (!tab.hidden) end();
  };
  const changed = (): void => {
    isChanged = true;
    endIfSeen();
  };
  tab.addEventListener("visibilitychange", endIfSeen, { signal });
  changes.addEventListener("change", changed, { signal });
  signal.addEventListener("abort", () => end(), { once: true });
  return (milliseconds) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const timer = setTimeout(endIfSeen, isChanged ? 0 : milliseconds);
      isChanged = false;
      end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
}
