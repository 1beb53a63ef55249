/** The models that the keys of this server can ask, offered while one is typed. */
import type { ServerAnswer } from "../../../../lib/api/answers.ts";

/** The `list` of the field. */
export const KNOWN_MODELS = "known-models";

export const KnownModels = ({ server }: { server: ServerAnswer | undefined }) => (
  <datalist id={KNOWN_MODELS}>
    {server?.models.map((each) => (
      <option key={each} value={each} />
    ))}
  </datalist>
);
