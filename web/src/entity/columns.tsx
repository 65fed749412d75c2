import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { ask } from '../api.js';
import { EditColumn } from '../edits/controls.js';
import { ColumnsDocument, type ColumnsQuery } from '../generated.js';
import { Long } from '../long.js';
import { MarkedText } from '../marked-text.js';
import { numbers, plainPath, wordsOf } from '../words.js';
import { EntityAnchor } from './anchor.js';
import type { Assigned, Column } from './facts.js';
import { EntityLink, Named } from './names.js';
import { Structured } from './structured.js';

/** Rows that are drawn at first. */
const DRAWN = 500;

/** The columns of a dataset, to be filtered by their names, types and descriptions. */
export function Columns({ urn, columns }: { urn: string; columns: readonly Column[] }) {
  const [typed, setTyped] = useState('');
  const { data, error } = useQuery({
    queryKey: ['columns', urn],
    queryFn: ({ signal }) => ask(ColumnsDocument, { urn }, { signal }),
    // Of very wide tables the service counts the columns, and may refuse: the schema is shown all the same.
    retry: false,
  });
  const own = useMemo(() => ownOf(data), [data]);
  const words = wordsOf(typed);
  const found = columns.filter(({ path, type, description, tags, terms }) => {
    const values = (own.get(path)?.structured ?? []).flatMap((one) => [one.urn, ...one.values]);
    const all = [path, type, description, ...tags, ...terms, ...values].join(' ').toLowerCase();
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
      {error && <p className="problem">Structured properties of columns are not shown: {error.message}</p>}
      <Named value={[columns, [...own.values()]]}>
        <Long
          items={found}
          most={DRAWN}
          list={(shown) => <Table columns={shown} own={own} words={words} />}
        />
      </Named>
    </>
  );
}

/** What is said of a column itself. */
interface Own {
  readonly urn: string;
  readonly deprecated: boolean;
  readonly structured: readonly Assigned[];
}

function ownOf(data: ColumnsQuery | undefined): ReadonlyMap<string, Own> {
  const fields = data?.dataset?.schemaMetadata?.fields ?? [];
  return new Map(
    fields.flatMap(({ fieldPath, schemaFieldEntity: column }) => {
      if (!column) return [];
      const structured = (column.structuredProperties?.properties ?? []).map((one) => ({
        urn: one.structuredProperty.urn,
        values: one.values.flatMap((value) => {
          if (!value) return [];
          return ['numberValue' in value ? value.numberValue : value.stringValue];
        }),
      }));
      return [
        [fieldPath, { urn: column.urn, deprecated: column.deprecation?.deprecated === true, structured }],
      ];
    }),
  );
}

interface TableProps {
  readonly columns: readonly Column[];
  readonly own: ReadonlyMap<string, Own>;
  readonly words: string[];
}

function Table({ columns, own, words }: TableProps) {
  return (
    <div className="scroll" role="region" aria-label="Columns" tabIndex={0}>
      <table className="stacked">
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Type</th>
            <th scope="col">Description and properties</th>
            <th scope="col">Tags and terms</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => (
            <tr key={column.path}>
              <th scope="row">
                <ColumnName own={own.get(column.path)}>
                  <MarkedText text={plainPath(column.path)} words={words} />
                </ColumnName>
                {column.key && <span className="badge">key</span>}
              </th>
              <td data-label="Type">
                <code>{column.type}</code>
                {!column.nullable && <span className="quiet"> not null</span>}
              </td>
              <td data-label="Description">
                <MarkedText text={column.description ?? ''} words={words} />
                <Structured assigned={own.get(column.path)?.structured ?? []} />
              </td>
              <td data-label="Tags and terms">
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

/** Leads to the column as an entity, with what can be said of it there. */
function ColumnName({ own, children }: { own: Own | undefined; children: ReactNode }) {
  if (!own) return children;
  return (
    <>
      <EntityAnchor urn={own.urn}>{children}</EntityAnchor>
      {own.deprecated && <span className="badge">deprecated</span>}
    </>
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
