/** Runs as a table; on narrow screens each is a card. */
import type { RunView } from "../../../../lib/api/answers.ts";
import { useNow } from "../../browser/use-now.ts";
import { inOrder, type Order } from "../../runs-order.ts";
import { RunRow } from "./run-row.tsx";

interface RunsTableProps {
  runs: RunView[];
  order: Order;
  /** Ids of those that are selected. */
  selected: ReadonlySet<string>;
  select: (id: string, isSelected: boolean) => void;
}

const NUMBERS = ["Tests", "Cost", "Time", "Started"];

export function RunsTable({ runs, order, selected, select }: RunsTableProps) {
  const now = useNow();
  return (
    <table class="runs" aria-label="Runs">
      <thead>
        <tr>
          <th>Run</th>
          <th>State</th>
          <th>Done</th>
          {NUMBERS.map((name) => (
            <th key={name} class="number">
              {name}
            </th>
          ))}
          <th>
            <span class="heard">Select</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {inOrder(runs, order, now).map((run) => (
          <RunRow key={run.id} run={run} now={now} isSelected={selected.has(run.id)} select={select} />
        ))}
      </tbody>
    </table>
  );
}
