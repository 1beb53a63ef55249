/** `GET /server`: what this server is, and which model it asks. Never a secret: only whether a key is set. */
import { ServerAnswer } from "../answers.ts";
import { route } from "../route.ts";

export const server = route({
  name: "showServer",
  description: "Shows the server's version, the model it asks where a run names none, and whether its key is set.",
  answers: { 200: { description: "The server.", schema: ServerAnswer } },
  problems: [403],
  async handle({ parts: { settings, models, uploads } }) {
    const { version, home, defaults, install } = settings;
    const described = await models.describe?.();
    return {
      status: 200,
      json: {
        ...(version === undefined ? {} : { version }),
        ...(home === undefined ? {} : { home }),
        ...(described ?? { models: [] }),
        ...(defaults.budget?.usd === undefined ? {} : { budgetUsd: defaults.budget.usd }),
        install,
        uploads: uploads !== undefined,
      },
    };
  },
});
