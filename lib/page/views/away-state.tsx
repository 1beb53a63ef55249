/** That the server does not answer as it should, why, and when it is asked again. */
import { reveal } from "../../core/text/sanitize.ts";
import { type Away, awayWords } from "../browser/failures.ts";
import { useNow } from "../browser/use-now.ts";

export const AwayState = ({ away }: { away: Away }) => (
  <p class="lost" role="status">
    {away.says && reveal(away.says)}
    {away.says && <br />}
    {awayWords(away, useNow())}
  </p>
);
