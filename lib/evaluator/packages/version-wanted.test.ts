import { describe, expect, it } from "vitest";
import { fitsNode, fitsPython } from "./version-wanted.ts";

describe("a version", () => {
  it.each([
    ["3.1.2", "flask", true],
    ["3.1.2", "flask[async]>=3,<4", true],
    ["3.1.2", "flask==3.1.2", true],
    ["3.1.2", "flask==3.0.0", false],
    ["3.1.2", "flask==3.*", true],
    ["3.1.2", "flask==2.*", false],
    ["3.1.2", "flask~=3.0", true],
    ["3.1.2", "flask~=3.0.1", false],
    ["3.1.2", "flask (>=4)", false],
    ["3.1", "flask==3.1.0", true],
    ["3.1.2", "flask!=3.1.2", false],
    ["3.1.2", "flask<=3.1; python_version > '3'", false],
    ["3.1.2rc1", "flask==9", true],
    ["3.1.2", "flask==3.1.2+local", true],
  ])("%s is what Python's %s asks for: %s", (version, requirement, fits) => {
    expect(fitsPython(version, requirement)).toBe(fits);
  });

  it.each([
    ["4.18.2", "^4.17.0", true],
    ["4.18.2", "^4.19", false],
    ["5.0.0", "^4", false],
    ["0.2.5", "^0.2.3", true],
    ["0.3.0", "^0.2.3", false],
    ["4.18.2", "~4.18.0", true],
    ["4.18.2", "~4.17.0", false],
    ["4.18.2", "4.x", true],
    ["4.18.2", "5.x || 4.18.2", true],
    ["4.18.2", ">=4 <5", true],
    ["4.18.2", ">= 5", false],
    ["4.18.2", "*", true],
    ["4.18.2", "", true],
    ["4.18.2", "latest", true],
    ["4.18.2", "4.18.1", false],
    ["4.18.2", "1.0.0 - 2.0.0", true],
    ["5.0.0-beta.1", "^4", true],
  ])("%s is what npm's %s asks for: %s", (version, range, fits) => {
    expect(fitsNode(version, range)).toBe(fits);
  });
});
