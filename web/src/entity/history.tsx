import { useQuery } from '@tanstack/react-query';
import { diffWordsWithSpace } from 'diff';
import { useState } from 'react';
import { ask } from '../api.js';
import { HistoryDocument, type ChangeCategoryType, type HistoryQuery } from '../generated.js';
import { Problem } from '../problem.js';
import { inWords, numbers, timeText } from '../words.js';
import { EntityLink, isUrn, Named } from './names.js';

type Moment = NonNullable<HistoryQuery['getTimeline']>['changeTransactions'][number];
type Change = NonNullable<Moment['changes']>[number];

/** Moments that are shown at once, and changes of one of them. */
const MOMENTS = 50;
const CHANGES = 12;

/** What happened to an entity: when, by whom, and what is different since then. */
export default function History({ urn }: { urn: string }) {
  const [category, setCategory] = useState<ChangeCategoryType | ''>('');
  const [shown, setShown] = useState(MOMENTS);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['history', urn],
    queryFn: ({ signal }) => ask(HistoryDocument, { input: { urn } }, { signal }),
    staleTime: 0,
  });
  if (error) return <Problem error={error} retry={refetch} />;
  if (isPending) return <p role="status">Loading…</p>;
  const all = data.getTimeline?.changeTransactions ?? [];
  if (all.length === 0) return <p className="quiet">No changes are kept of it.</p>;
  const categories = [...new Set(all.flatMap(({ changes }) => (changes ?? []).map((one) => one.category)))]
    .filter((one) => one !== null)
    .sort();
  const moments = all
    .map((moment) => ({
      ...moment,
      changes: (moment.changes ?? []).filter((one) => category === '' || one.category === category),
    }))
    .filter(({ changes }) => changes.length > 0)
    .reverse();
  const visible = moments.slice(0, shown);
  return (
    <Named value={visible.map(({ actor, changes }) => [actor, changes.map(({ modifier }) => modifier)])}>
      <div className="row filter">
        <label htmlFor="history-category">About</label>
        <select
          id="history-category"
          value={category}
          onChange={(event) => setCategory(event.target.value as ChangeCategoryType | '')}
        >
          <option value="">everything</option>
          {categories.map((one) => (
            <option key={one} value={one}>
              {inWords(one)}
            </option>
          ))}
        </select>
      </div>
      <ol className="history">
        {visible.map((moment) => (
          <li key={moment.versionStamp}>
            <MomentView urn={urn} moment={moment} />
          </li>
        ))}
      </ol>
      {moments.length > shown && (
        <button onClick={() => setShown(shown + MOMENTS)}>
          {numbers.format(moments.length - shown)} earlier
        </button>
      )}
    </Named>
  );
}

function MomentView({ urn, moment }: { urn: string; moment: Moment & { changes: Change[] } }) {
  const { timestampMillis, actor, lastSemanticVersion, changes } = moment;
  const lines = (some: Change[]) => (
    <ul>
      {some.map((change, at) => (
        <li key={at}>
          <ChangeView urn={urn} change={change} />
        </li>
      ))}
    </ul>
  );
  return (
    <>
      <h2>
        <time dateTime={new Date(timestampMillis).toISOString()}>{timeText(timestampMillis)}</time>
      </h2>
      <p className="quiet">
        {actor && <EntityLink urn={actor} />} {versionText(lastSemanticVersion)}
      </p>
      {lines(changes.slice(0, CHANGES))}
      {changes.length > CHANGES && (
        <details>
          <summary>{changes.length - CHANGES} more changes</summary>
          {lines(changes.slice(CHANGES))}
        </details>
      )}
    </>
  );
}

/** `1.2.0-computed` → `version 1.2.0`. */
const versionText = (version: string): string => `version ${version.replace(/-computed$/, '')}`;

function ChangeView({ urn, change }: { urn: string; change: Change }) {
  const { category, description, modifier, parameters, operation } = change;
  const details = new Map((parameters ?? []).map(({ key, value }) => [key, value]));
  const text = details.get('description');
  if (category === 'DOCUMENTATION' && typeof text === 'string') {
    const column = details.get('fieldPath');
    return (
      <>
        {column ? (
          <>
            Description of <b>{column}</b>:{' '}
          </>
        ) : (
          'Description: '
        )}
        <TextDifference before={details.get('previousDescription') ?? ''} after={text} />
      </>
    );
  }
  if (!description) return inWords(`${category ?? ''}_${operation ?? ''}`);
  return <Sentence text={description} own={urn} other={modifier} />;
}

/** What the service says of a change, with links in place of URNs. */
function Sentence({ text, own, other }: { text: string; own: string; other: string | null }) {
  const link = other !== null && isUrn(other) && other !== own ? other : undefined;
  const parts = link === undefined ? [text] : text.split(link);
  return parts.map((part, at) => (
    <span key={at}>
      {at > 0 && link !== undefined && <EntityLink urn={link} plain />}
      {part.replaceAll(own, 'it')}
    </span>
  ));
}

/** A text with what came and what went, by words. */
function TextDifference({ before, after }: { before: string; after: string }) {
  return (
    <span className="lines">
      {diffWordsWithSpace(before, after).map(({ added, removed, value }, at) =>
        added ? <ins key={at}>{value}</ins> : removed ? <del key={at}>{value}</del> : value,
      )}
    </span>
  );
}
