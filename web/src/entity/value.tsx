import { Long } from '../long.js';
import { inWords, timeText } from '../words.js';
import { EntityLink, isUrn } from './names.js';

/** Below so many levels a value is shown as JSON. */
const DEPTH = 4;

/** A value of the model, whatever its shape, with links to what it refers to. */
export function Value({ value, name, depth = 0 }: { value: unknown; name?: string; depth?: number }) {
  if (value === null || value === undefined) return <span className="quiet">none</span>;
  if (typeof value === 'string')
    return isUrn(value) ? <EntityLink urn={value} /> : <span className="lines">{value}</span>;
  if (
    typeof value === 'number' &&
    /(time|timestamp\w*|created|lastModified)$/i.test(name ?? '') &&
    value > 1e11
  )
    return <time dateTime={new Date(value).toISOString()}>{timeText(value)}</time>;
  if (typeof value !== 'object') return JSON.stringify(value);
  if (depth >= DEPTH) return <code>{JSON.stringify(value)}</code>;
  if (Array.isArray(value)) return <Values values={value as unknown[]} depth={depth} />;
  const fields = Object.entries(value) as Array<[string, unknown]>;
  if (fields.length === 0) return <span className="quiet">nothing in it</span>;
  return (
    <dl className="fields">
      {fields.map(([field, one]) => (
        <div key={field}>
          <dt>{inWords(field)}</dt>
          <dd>
            <Value value={one} name={field} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Values({ values, depth }: { values: readonly unknown[]; depth: number }) {
  if (values.length === 0) return <span className="quiet">none</span>;
  const item = (one: unknown, index: number) => (
    <li key={index}>
      <Value value={one} depth={depth + 1} />
    </li>
  );
  return <Long items={values} list={(shown) => <ul>{shown.map(item)}</ul>} />;
}
