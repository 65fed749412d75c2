import { lazy, Suspense } from 'react';
import { Impact } from './impact.js';

/** The libraries that lay out and draw come with the first picture. */
const Picture = lazy(() => import('./picture.js'));

/** What an entity is made of, and what is made of it. */
export function LineagePanel({ urn }: { urn: string }) {
  return (
    <div className="lineage">
      <Suspense fallback={<p role="status">Loading…</p>}>
        <Picture urn={urn} />
      </Suspense>
      <Impact key={urn} urn={urn} />
    </div>
  );
}
