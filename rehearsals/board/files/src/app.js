const ADDED = 201;
const BAD = 400;
const UNKNOWN = 404;

/** Answers requests: the cards as JSON, and new ones. */
export function createApp(board) {
  return async ({ method, path, body = "" }) => {
    if (path !== "/cards") return { status: UNKNOWN, body: "" };
    if (method === "GET") return { status: 200, body: JSON.stringify(board.all()) };
    try {
      board.add(body);
      return { status: ADDED, body: "" };
    } catch (error) {
      return { status: BAD, body: error.message };
    }
  };
}
