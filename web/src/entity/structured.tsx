import type { Assigned } from './facts.js';
import { EntityLink, isUrn } from './names.js';

/** Structured properties with their values. */
export function Structured({ assigned }: { assigned: readonly Assigned[] }) {
  if (assigned.length === 0) return null;
  return (
    <dl className="fields">
      {assigned.map(({ urn, values }) => (
        <div key={urn}>
          <dt>
            <EntityLink urn={urn} plain />
          </dt>
          <dd>
            {values.map((value, index) => (
              <span key={value} className="lines">
                {index > 0 && ', '}
                {typeof value === 'string' && isUrn(value) ? <EntityLink urn={value} /> : value}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
