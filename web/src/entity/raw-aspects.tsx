import { inWords } from '../words.js';

export interface RawAspect {
  aspectName: string;
  payload: string | null;
}

/** Each aspect as it is stored, to be unfolded. */
export function RawAspects({ aspects }: { aspects: readonly RawAspect[] }) {
  return (
    <section aria-label="Aspects" className="aspects">
      {aspects.map(({ aspectName, payload }) => (
        <details key={aspectName}>
          <summary>
            {inWords(aspectName)} <code className="quiet">{aspectName}</code>
          </summary>
          <pre tabIndex={0}>{JSON.stringify(JSON.parse(payload ?? 'null'), null, 2)}</pre>
        </details>
      ))}
    </section>
  );
}
