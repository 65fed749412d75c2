import { useState } from 'react';
import { MarkedText } from '../marked-text.js';
import { numbers, plainPath, wordsOf } from '../words.js';
import type { Column } from './facts.js';
import { EntityLink } from './names.js';

/** Rows that are drawn; the filter finds the others. */
const DRAWN = 500;

/** The columns of a dataset, to be filtered by their names, types and descriptions. */
export function Columns({ columns }: { columns: readonly Column[] }) {
  const [typed, setTyped] = useState('');
  const words = wordsOf(typed);
  const found = columns.filter(({ path, type, description, tags, terms }) => {
    const all = [path, type, description, ...tags, ...terms].join(' ').toLowerCase();
    return words.every((word) => all.includes(word.toLowerCase()));
  });
  return (
    <>
      <div className="row filter">
        <input
          type="search"
          aria-label="Filter the columns"
          placeholder="Filter the columns"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <span role="status" className="quiet">
          {numbers.format(found.length)} of {numbers.format(columns.length)}
        </span>
      </div>
      <div className="scroll" role="region" aria-label="Columns" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Type</th>
              <th scope="col">Description</th>
              <th scope="col">Tags and terms</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, DRAWN).map((column) => (
              <tr key={column.path}>
                <th scope="row">
                  <MarkedText text={plainPath(column.path)} words={words} />
                  {column.key && <span className="badge">key</span>}
                </th>
                <td>
                  <code>{column.type}</code>
                  {!column.nullable && <span className="quiet"> not null</span>}
                </td>
                <td>
                  <MarkedText text={column.description ?? ''} words={words} />
                </td>
                <td>
                  <Chips urns={[...column.tags, ...column.terms]} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.length > DRAWN && <p>The first {DRAWN}. Filter to see others.</p>}
    </>
  );
}

/** Links to entities in a row. */
export function Chips({ urns }: { urns: readonly string[] }) {
  return (
    <ul className="chips">
      {urns.map((urn) => (
        <li key={urn}>
          <EntityLink urn={urn} />
        </li>
      ))}
    </ul>
  );
}
