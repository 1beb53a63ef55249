/** What is shown while the server has not answered: what is loading, or why the server is not reachable. */
import { useEffect, useState } from "preact/hooks";
import { reveal } from "../../../lib/core/text/sanitize.ts";
import { type Outage, outageText } from "../browser/failures.ts";
import { useNow } from "../browser/use-now.ts";

export const LATE_MS = 10_000;

/** After a while it says what to do. */
export function Loading({ what }: { what: string }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status">
      {isLate
        ? `${what} takes longer than ${LATE_MS / 1_000} seconds. Check in its terminal that the server is running, then reload this page; the run is not affected.`
        : `${what}…`}
    </p>
  );
}

export const OutageNotice = ({ outage }: { outage: Outage }) => (
  <p class="lost" role="status">
    {outage.message && reveal(outage.message)}
    {outage.message && <br />}
    {outageText(outage, useNow())}
  </p>
);
