/** Whether long lines of code wrap: remembered in this browser. */
import { useEffect, useState } from "preact/hooks";

const KEPT = "l2mac-wrap";

export function useWrap(): [boolean, (isWrapped: boolean) => void] {
  const [isWrapped, setWrapped] = useState(() => localStorage.getItem(KEPT) === "yes");
  useEffect(() => {
    document.documentElement.classList.toggle("wrapped", isWrapped);
    localStorage.setItem(KEPT, isWrapped ? "yes" : "no");
  }, [isWrapped]);
  return [isWrapped, setWrapped];
}
