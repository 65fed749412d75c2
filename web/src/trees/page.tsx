import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { ask } from '../api.js';
import { Assets } from '../entity/assets.js';
import { factsOf, parseAspects } from '../entity/facts.js';
import { EntityLink, Named } from '../entity/names.js';
import { EntityDocument, LevelDocument } from '../generated.js';
import { EntityIcon } from '../icons.js';
import { Problem } from '../problem.js';
import { quoted, SameAs } from '../same-as.js';
import { Title } from '../title.js';
import { kindOf, lastOf } from '../words.js';
import { ancestorsOf, DOMAINS, GLOSSARY, levelInput, PART, type Forest } from './forest.js';
import { Tree } from './tree.js';

const Markdown = lazy(() => import('../entity/markdown.js'));

export const GlossaryPage = () => <TreePage forest={GLOSSARY} path="/glossary" />;
export const DomainsPage = () => <TreePage forest={DOMAINS} path="/domains" />;

/** A tree, and beside it what is chosen in it. The address says which. */
function TreePage({ forest, path }: { forest: Forest; path: '/glossary' | '/domains' }) {
  const { urn } = useSearch({ from: path });
  const navigate = useNavigate();
  // The tree is opened once, where the address leads; after that people open it.
  const [first] = useState(urn);
  const above = useQuery({
    queryKey: ['ancestors', first],
    queryFn: ({ signal }) => ancestorsOf(first!, signal),
    enabled: first !== undefined,
  });
  return (
    <>
      <Title text={`${forest.title} · Catalog`} />
      <h1>{forest.title}</h1>
      <div className="beside">
        {above.isLoading ? (
          <p role="status">Loading…</p>
        ) : (
          <Tree
            forest={forest}
            chosen={urn}
            opened={above.data ?? []}
            onChoose={(chosen) => void navigate({ to: path, search: { urn: chosen }, resetScroll: false })}
          />
        )}
        {urn !== undefined && <Chosen key={urn} urn={urn} />}
      </div>
      {urn === undefined ? (
        <SameAs document={LevelDocument} variables={{ input: levelInput(forest, undefined, PART) }} />
      ) : (
        <SameAs document={EntityDocument} variables={{ urn }} command={`get ${quoted(urn)}`} />
      )}
    </>
  );
}

/** What is chosen: what it means, who answers for it, and which assets have it. */
function Chosen({ urn }: { urn: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['entity', urn],
    queryFn: ({ signal }) => ask(EntityDocument, { urn }, { signal }),
  });
  const raw = data?.entity?.aspects;
  const aspects = useMemo(() => parseAspects(raw ?? []), [raw]);
  const { description, owners } = useMemo(() => factsOf(aspects), [aspects]);
  const name = data?.entity?.displayName ?? lastOf(urn);
  return (
    <Named value={aspects}>
      <section className="chosen" aria-label="Chosen" aria-busy={!data}>
        <p className="quiet">{kindOf(urn)}</p>
        <h2>
          <EntityIcon urn={urn} />
          {name}
        </h2>
        {error && <Problem error={error} retry={refetch} />}
        {data && !data.entity?.exists && <p role="alert">Nothing is known of this entity.</p>}
        {description !== undefined && (
          <Suspense fallback={<p className="lines">{description}</p>}>
            <Markdown text={description} />
          </Suspense>
        )}
        {owners.length > 0 && (
          <p>
            Owners:{' '}
            {owners.map(({ urn: owner, type }, at) => (
              <span key={`${owner} ${type}`}>
                {at > 0 && ', '}
                <EntityLink urn={owner} plain />
              </span>
            ))}
          </p>
        )}
        <p className="ways">
          <Link to="/entity" search={{ urn }}>
            Its page
          </Link>
          <Assets urn={urn} />
        </p>
      </section>
    </Named>
  );
}
