import { describe, expect, it } from "vitest";
import { reachOf, refusalOfAddress } from "./address.ts";

describe("an address", () => {
  it.each([
    ["public", ["1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "198.20.0.1"]],
    ["public", ["2606:4700::1111", "2a00:1450:4001::1", "2400::1"]],
    ["loopback", ["127.0.0.1", "127.255.255.254", "::1"]],
    ["private", ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255"]],
    ["private", ["198.18.0.1", "fc00::1", "fd12:3456::1"]],
    ["never", ["0.0.0.0", "0.1.2.3", "169.254.169.254", "169.254.170.2", "192.0.0.1", "224.0.0.1", "255.255.255.255"]],
    ["never", ["240.0.0.1", "192.0.2.1", "203.0.113.9", "::", "fe80::1", "ff02::1", "fd00:ec2::254", "2001:db8::1"]],
    // IPv4 in IPv6 notation: mapped, compatible, translated, 6to4, Teredo.
    ["never", ["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:a9fe:a9fe", "::127.0.0.1", "64:ff9b::7f00:1"]],
    ["never", ["2002:7f00:1::1", "2001::1", "fec0::1"]],
  ])("is %s: %j", (reach, addresses) => {
    expect(addresses.map((address) => [address, reachOf(address)])).toEqual(
      addresses.map((address) => [address, reach]),
    );
  });

  it("is taken over https where it is public, and where it is private only if that is allowed", () => {
    const at = (address: string, allowPrivate: boolean) =>
      refusalOfAddress(address, { protocol: "https:", allowPrivate });
    expect(at("1.1.1.1", false)).toBeUndefined();
    for (const address of ["127.0.0.1", "10.0.0.1", "::1", "fc00::1"]) {
      expect(at(address, false)).toMatch(/allowPrivate is not set/);
      expect(at(address, true)).toBeUndefined();
    }
    for (const address of ["169.254.169.254", "fd00:ec2::254", "fe80::1", "0.0.0.0", "::ffff:10.0.0.1"])
      expect(at(address, true)).toMatch(/not one that a receiver/);
  });

  it("is taken over http on loopback only, and only if that is allowed", () => {
    const at = (address: string, allowPrivate: boolean) =>
      refusalOfAddress(address, { protocol: "http:", allowPrivate });
    expect(at("127.0.0.1", true)).toBeUndefined();
    expect(at("127.0.0.1", false)).toMatch(/allowPrivate/);
    expect(at("10.0.0.1", true)).toMatch(/https/);
    expect(at("1.1.1.1", true)).toMatch(/https/);
  });
});
