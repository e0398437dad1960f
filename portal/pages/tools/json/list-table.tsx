// Shows a list of like objects as a table. Long lists show a part of their rows.
import { useState } from 'preact/hooks';
import { toolsTexts } from '../../../texts/tools.ts';
import { cellText, type Table } from './list-in.ts';

const words = toolsTexts.tools.table;
const PAGE = 50;

function hasNumbers(items: Table['items'], column: string): boolean {
  const values = items.map((item) => item[column]).filter((value) => value !== undefined && value !== null);
  return values.length > 0 && values.every((value) => typeof value === 'number');
}

export function ListTable({ table }: { table: Table }) {
  const { columns, items, left } = table;
  const [count, setCount] = useState(PAGE);
  const more = Math.min(PAGE, items.length - count);
  return (
    <>
      <div class="list-table" role="region" aria-label={words.label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" class={hasNumbers(items, column) ? 'cell-number' : undefined}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.slice(0, count).map((item, index) => (
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column} class={typeof item[column] === 'number' ? 'cell-number' : undefined}>
                    {cellText(item[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 && <p class="muted">{words.left(left)}</p>}
      {more > 0 && (
        <button type="button" class="button" onClick={() => setCount(count + PAGE)}>
          {words.more(more, items.length - count)}
        </button>
      )}
    </>
  );
}
