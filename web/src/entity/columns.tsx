import { useState } from 'react';
import { EditColumn } from '../edits/controls.js';
import { Long } from '../long.js';
import { MarkedText } from '../marked-text.js';
import { numbers, plainPath, wordsOf } from '../words.js';
import type { Column } from './facts.js';
import { EntityLink } from './names.js';

/** Rows that are drawn at first. */
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
      <Long items={found} most={DRAWN} list={(shown) => <Table columns={shown} words={words} />} />
    </>
  );
}

function Table({ columns, words }: { columns: readonly Column[]; words: string[] }) {
  return (
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
          {columns.map((column) => (
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
                <div className="heading">
                  <Chips urns={[...column.tags, ...column.terms]} />
                  <EditColumn path={column.path} />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Links to entities in a row. */
export function Chips({ urns }: { urns: readonly string[] }) {
  return (
    <Long
      items={urns}
      list={(shown) => (
        <ul className="chips">
          {shown.map((urn) => (
            <li key={urn}>
              <EntityLink urn={urn} />
            </li>
          ))}
        </ul>
      )}
    />
  );
}
