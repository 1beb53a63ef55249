/** Narrows the list of runs: by a word, by state, and puts it in an order. */
import { RunStatus } from "../../../../lib/core/run/run.ts";
import { isOrder, ORDERS, type Order } from "../../runs-order.ts";

export interface RunsFilter {
  like: string;
  /** Empty: all. */
  status: string;
  order: Order;
}

interface RunsFilterProps {
  filter: RunsFilter;
  change: (filter: RunsFilter) => void;
}

export const RunsFilterView = ({ filter, change }: RunsFilterProps) => (
  <div class="filter">
    <label>
      Find
      <input
        type="search"
        value={filter.like}
        onInput={(event) => change({ ...filter, like: event.currentTarget.value })}
        placeholder="part of an id, name or task"
      />
    </label>
    <label>
      State
      <select value={filter.status} onChange={(event) => change({ ...filter, status: event.currentTarget.value })}>
        <option value="">all</option>
        {RunStatus.options.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </select>
    </label>
    <label>
      Order
      <select
        value={filter.order}
        onChange={({ currentTarget: { value } }) => isOrder(value) && change({ ...filter, order: value })}
      >
        {Object.entries(ORDERS).map(([order, words]) => (
          <option key={order} value={order}>
            {words}
          </option>
        ))}
      </select>
    </label>
  </div>
);
