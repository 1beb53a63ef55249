/** The address of the page, and going elsewhere in it: back and forward work as everywhere. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { hashOf, type Navigate, type Route, routeIn } from "../route.ts";

/** Browsers refuse addresses that change many times a second. */
const SETTLED_MS = 250;

export function useRoute(): [Route, Navigate] {
  const [route, setPlace] = useState(() => routeIn(location.hash));
  useEffect(() => {
    const changed = (): void => setPlace(routeIn(location.hash));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  const write = useMemo(createWriting, []);
  return [
    route,
    (next, how) => {
      setPlace(next);
      write(hashOf(next), how?.passing ?? false);
    },
  ];
}

/** Of all that is passed on a way, history keeps where it came to. */
function createWriting(): (hash: string, passing: boolean) => void {
  let isOnWay = false;
  let pending: { hash: string; timer: ReturnType<typeof setTimeout> } | undefined;
  const settle = (): void => {
    if (!pending) return;
    clearTimeout(pending.timer);
    history.replaceState(null, "", pending.hash);
    pending = undefined;
  };
  addEventListener("popstate", () => {
    isOnWay = false;
  });
  return (hash, passing) => {
    if (passing && isOnWay) {
      if (pending) clearTimeout(pending.timer);
      pending = { hash, timer: setTimeout(settle, SETTLED_MS) };
      return;
    }
    settle();
    history.pushState(null, "", hash);
    isOnWay = passing;
  };
}
