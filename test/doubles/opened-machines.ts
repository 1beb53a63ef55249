/** Machines of one test file, closed after each of its tests. */
import { afterEach } from "vitest";
import { aMachine, type TestMachine } from "./machines.ts";

export function openedMachines(): {
  machines: TestMachine[];
  opened: (parts: Parameters<typeof aMachine>[0]) => TestMachine;
} {
  const machines: TestMachine[] = [];
  afterEach(() => {
    for (const machine of machines.splice(0)) {
      machine.close();
      machine.removeHome();
    }
  });
  const opened = (parts: Parameters<typeof aMachine>[0]): TestMachine => {
    const machine = aMachine(parts);
    machines.push(machine);
    return machine;
  };
  return { machines, opened };
}
