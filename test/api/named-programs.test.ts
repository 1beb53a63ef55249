/** Programs under names over HTTP: they are checked, and become part of the runs that call them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "./served.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.remove());

const put = (name: string, program: unknown, headers: Record<string, string> = {}) =>
  server.ask(`/programs/${name}`, {
    method: "PUT",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(program),
  });
const call = (program: string, more: object = {}) => [{ kind: "call", program, ...more }];
const submit = (program: unknown) =>
  server.post("/runs", { task: "A rehearsal.", model: "rehearsal", approve: "plan", program });

describe("a named program", () => {
  it("is created, shown with its parameters, replaced by its etag alone, and removed", async () => {
    const first = await put("part", [{ title: "Write {{part}}", text: "Write {{part}}." }]);
    expect(first).toMatchObject({ status: 201, json: { name: "part" } });
    expect((await put("part", [{ title: "Write {{part}}", text: "Write {{part}}." }])).status).toBe(200);
    expect(await put("part", ["Another."])).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining("it was kept"), next: { args: ["put", "part", "<file>", "--replace"] } },
    });
    expect((await put("part", ["Another."], { "if-match": '"0"' })).status).toBe(412);
    const shown = await server.ask("/programs/part");
    expect(shown.json).toMatchObject({
      parameters: ["part"],
      program: { instructions: [{ text: "Write {{part}}." }] },
    });
    const etag = shown.headers.get("etag") ?? "";
    expect((await put("part", ["Another."], { "if-match": etag })).status).toBe(200);
    expect((await server.ask("/programs")).json.programs).toMatchObject([{ name: "part" }]);
    const remove = { method: "DELETE", headers: { "content-type": "application/json" } };
    expect(
      (await server.ask("/programs/part", { ...remove, headers: { ...remove.headers, "if-match": etag } })).status,
    ).toBe(412);
    expect((await server.ask("/programs/part", remove)).json).toEqual({ name: "part", status: "removed" });
    expect((await server.ask("/programs/part", remove)).status).toBe(404);
    expect((await server.ask("/programs/part")).status).toBe(404);
  });

  it("is part of a run from its submission on, with what it calls itself", async () => {
    await put("inner", ["Write {{part}}."]);
    await put("outer", call("inner", { with: { part: "{{part}}" } }));
    const { status, json } = await submit(call("outer", { with: { part: "it" } }));
    expect(status).toBe(202);
    const etag = (await server.ask("/programs/inner")).headers.get("etag") ?? "";
    await put("inner", ["Something else, {{part}}."], { "if-match": etag });
    await followed(server, json.id);
    const { tree } = (await server.ask(`/runs/${json.id}/program`)).json;
    expect(tree).toMatchObject([
      { program: "outer", body: [{ program: "inner", body: [{ text: "Write {{part}}." }] }] },
    ]);
  });

  it.each([
    ["a name that is not there", call("nowhere"), "there is no program `nowhere` here"],
    ["a file, which only the command reads", call("programs/part.md"), "only its name is"],
    ["a value that is missing", call("needy"), "`with` has no value"],
  ])("a submission is refused that calls %s", async (_, program, problem) => {
    await put("needy", ["Write {{part}}."]);
    expect(await submit(program)).toMatchObject({
      status: 400,
      json: { fields: [{ field: "program", problem: expect.stringContaining(problem) }] },
    });
  });

  it.each([
    ["that has an error", [{ kind: "repeat", until: { tests: true }, body: ["a"] }], "atMost"],
    ["with a field that an earlier version reserved", [{ kind: "do", text: "a", model: "b" }], "has no field `model`"],
    ["with requirements", { instructions: ["a"], requirements: { R1: "b" } }, "no requirements of its own"],
    ["that calls itself", call("refused"), "circle"],
    ["that calls what is not there", call("nowhere"), "there is no program `nowhere`"],
  ])("a program is refused %s, and nothing is stored", async (_, program, problem) => {
    expect(await put("refused", program)).toMatchObject({
      status: 400,
      json: { fields: [{ field: "program", problem: expect.stringContaining(problem) }] },
    });
    expect((await server.ask("/programs/refused")).status).toBe(404);
  });

  it.each(["a.md", "-a", `a${"b".repeat(100)}`, "%2e%2e%2fa"])("the name %s is refused", async (name) => {
    expect(await put(name, ["a"])).toMatchObject({ status: 400, json: { fields: [{ field: "name" }] } });
  });
});
