import { expect, it } from "vitest";
import { UserError } from "../core/errors.ts";
import { explain } from "./failures.ts";

it("what was denied is named before names that are long", () => {
  const said = `User: arn:aws:sts::1:assumed-role/${"L".repeat(200)} is not authorized to perform: s3:PutObject on resource: x`;
  const explained = explain(Object.assign(new Error(said), { name: "AccessDenied" }), "the bucket files");
  expect(String(explained)).toContain("what the machine needs: s3:PutObject (the bucket files)");
});

it.each([
  ["AccessDenied", "L2mac.Denied"],
  ["AccessDeniedException", "L2mac.Denied"],
  ["ExpiredTokenException", "L2mac.UserError"],
  ["ResourceNotFoundException", "L2mac.UserError"],
])("%s has the name that the state machine decides by: %s", (name, thrown) => {
  const explained = explain(Object.assign(new Error("no"), { name }), "the bucket files");
  expect(explained).toBeInstanceOf(UserError);
  expect(explained).toMatchObject({ name: thrown, exitCode: 3 });
});
