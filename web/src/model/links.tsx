import { Link } from '@tanstack/react-router';
import { EntityIcon } from '../icons.js';
import { Long } from '../long.js';
import { typeText } from '../words.js';
import type { Edge } from './model.js';

/** Types of entities, each with the way to it. */
export function Kinds({ names }: { names: readonly string[] }) {
  return (
    <Long
      items={names}
      most={8}
      list={(shown) => (
        <ul className="chips">
          {shown.map((name) => (
            <li key={name}>
              <Link to="/model" search={{ entity: name }} className="entity-link">
                <EntityIcon urn={`urn:li:${name}:`} />
                {typeText(name)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    />
  );
}

/** What a reference is called, and the field that holds it. */
export function Relation({ edge: { relation, aspect, path, lineage } }: { edge: Edge }) {
  return (
    <>
      <b>{relation}</b>
      {lineage && <span className="badge">lineage</span>}
      <br />
      <Link to="/model" search={{ aspect }} className="urn">
        {aspect}
        {path}
      </Link>
    </>
  );
}
