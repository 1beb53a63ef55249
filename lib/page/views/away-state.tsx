/** That the server does not answer as it should, why, and when it is asked again. */
import { type Away, awayWords } from "../browser/failures.ts";
import { useNow } from "../browser/use-now.ts";
import { visible } from "../visible.ts";

export const AwayState = ({ away }: { away: Away }) => (
  <p class="lost" role="status">
    {away.says && visible(away.says)}
    {away.says && <br />}
    {awayWords(away, useNow())}
  </p>
);
