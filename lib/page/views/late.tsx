/** What is being waited for; and after a while that it takes too long, and what can be done about it. */
import { useEffect, useState } from "preact/hooks";

export const LATE_MS = 10_000;

export function Late({ what }: { what: string }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status">
      {isLate
        ? `${what} takes longer than ${LATE_MS / 1_000} seconds. Look whether the server still runs in its terminal, then load this page anew; nothing of the run is lost.`
        : `${what}…`}
    </p>
  );
}
