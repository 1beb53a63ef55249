import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { aFolder, removeFolders } from "../cloudformation/small-deployment.ts";
import { imagePaths } from "./function-environment.ts";
import { layImage } from "./image-layout.ts";

afterAll(removeFolders);

const lay = (dockerfile: string, files: Record<string, string> = { "entry.mjs": "" }) =>
  layImage(aFolder({ ...files, Dockerfile: dockerfile }), aFolder());

const REST = 'CMD ["entry.handler"]';

describe("laying out an image", () => {
  it("understands the Dockerfile of the evaluator", () => {
    const dockerfile = readFileSync(new URL("../../../lambdas/evaluate/Dockerfile", import.meta.url), "utf8");
    const image = lay(dockerfile, {
      ...{
        "entry.mjs": "",
        "scripts/check.py": "",
        "python-packages.lock": "pytest",
        "npm-packages.json": "{}",
        "npm-packages.lock.json": "{}",
      },
    });
    expect(image).toMatchObject({ handler: "entry.handler", env: { L2MAC_SCRATCH: "/tmp" } });
    for (const path of ["var/task/entry.mjs", "var/task/scripts/check.py", "opt/l2mac/package.json", "tmp"])
      expect(existsSync(join(image.root, path))).toBe(true);
    expect(existsSync(join(image.root, "var/task/python-packages.lock"))).toBe(false);
  });

  it("knows what was set before, in either way of writing it", () => {
    const { env } = lay(["FROM it", "ENV A=/opt/a B=b", `ENV C=$A/\${B}`, REST].join("\n"));
    expect(env).toEqual({ A: "/opt/a", B: "b", C: "/opt/a/b" });
  });

  it("makes paths of this computer of what is set", () => {
    const env = { A: "/opt/a", B: "b", T: "/tmp", U: "/tmp/x", V: "/tmpfs" };
    expect(imagePaths({ env, root: "/image" }, "/own")).toEqual({
      ...{ A: "/image/opt/a", B: "b", T: "/own", U: "/own/x", V: "/image/tmpfs" },
    });
  });

  it.each([
    ["an unsupported instruction", `FROM it\nUSER nobody\n${REST}`, /USER is not understood/],
    ["a copy of what is not there", `FROM it\nCOPY none.txt /opt/none.txt\n${REST}`, /none\.txt, which is not there/],
    ["a copy of several", `FROM it\nCOPY a b /opt/\n${REST}`, /COPY a b .* is not understood/],
    ["no command", "FROM it", /no CMD/],
  ])("refuses %s", (_, dockerfile, message) => {
    expect(() => lay(dockerfile)).toThrow(message);
  });
});
