/** A table of Markdown; a wide one scrolls by itself. */
import { type MarkdownToken, partsOf } from "../../../book/index.ts";
import { Wide } from "../code.tsx";
import { Inlines, type Reading } from "./inlines.tsx";

export const Table = ({
  table: { header, rows },
  reading,
}: {
  table: Extract<MarkdownToken, { type: "table" }>;
  reading: Reading;
}) => (
  <Wide label="Table">
    <table>
      <thead>
        <tr>
          {header.map((cell, index) => (
            <th key={index} scope="col">
              <Inlines tokens={partsOf(cell)} reading={reading} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, place) => (
              <td key={place}>
                <Inlines tokens={partsOf(cell)} reading={reading} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Wide>
);
