import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { EntityIcon } from '../icons.js';
import { Long } from '../long.js';
import { Problem } from '../problem.js';
import { SameAsRead } from '../same-as.js';
import { Title } from '../title.js';
import { inWords, numbers, typeText } from '../words.js';
import { AspectView } from './aspect.js';
import { Kinds, Relation } from './links.js';
import {
  aspectPath,
  KINDS_PATH,
  kindsOf,
  referencesOf,
  referrersOf,
  type Aspect,
  type Edge,
  type Kind,
} from './model.js';

/** The model: types of entities, the aspects that they can have, fields, and who refers to whom. */
export function ModelPage() {
  const { entity, aspect } = useSearch({ from: '/model' });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['model'],
    queryFn: ({ signal }) => kindsOf(signal),
    staleTime: Infinity,
  });
  const kind = data?.find(({ name }) => name === entity);
  return (
    <div aria-busy={isPending}>
      <Title text="Model · Catalog" />
      <h1>Model</h1>
      {error && <Problem error={error} retry={refetch} />}
      {isPending && !error && <p role="status">Loading…</p>}
      {data && (
        <div className="model">
          <KindList kinds={data} chosen={entity} />
          <div>
            {aspect !== undefined ? (
              <AspectView key={aspect} name={aspect} kinds={data} />
            ) : kind ? (
              <KindView kind={kind} kinds={data} />
            ) : entity !== undefined ? (
              <p role="alert">The model has no type “{entity}”.</p>
            ) : (
              <Total kinds={data} />
            )}
            <SameAsRead path={aspect === undefined ? KINDS_PATH : aspectPath(aspect)} />
          </div>
        </div>
      )}
    </div>
  );
}

function Total({ kinds }: { kinds: readonly Kind[] }) {
  const aspects = new Set(kinds.flatMap(({ aspectSpecs }) => aspectSpecs.map(({ name }) => name)));
  return (
    <p>
      {numbers.format(kinds.length)} types of entities with {numbers.format(aspects.size)} aspects. Choose a
      type to see what it is made of and what it refers to.
    </p>
  );
}

/** All types, to be filtered by name and description. */
function KindList({ kinds, chosen }: { kinds: readonly Kind[]; chosen: string | undefined }) {
  const [typed, setTyped] = useState('');
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = kinds
    .filter(({ name, description }) => {
      const all = `${name} ${typeText(name)} ${description}`.toLowerCase();
      return words.every((word) => all.includes(word));
    })
    .toSorted((a, b) => typeText(a.name).localeCompare(typeText(b.name)));
  return (
    <nav aria-label="Types" className="kinds">
      <input
        type="search"
        aria-label="Filter the types"
        placeholder="Filter the types"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <p role="status" className="quiet">
        {numbers.format(found.length)} of {numbers.format(kinds.length)}
      </p>
      <ul className="plain">
        {found.map(({ name }) => (
          <li key={name}>
            <EntityIcon urn={`urn:li:${name}:`} />
            <Link to="/model" search={{ entity: name }} aria-current={name === chosen ? 'true' : undefined}>
              {typeText(name)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function KindView({ kind, kinds }: { kind: Kind; kinds: readonly Kind[] }) {
  const { name, description, category, keyAspectName, aspectSpecs } = kind;
  return (
    <article>
      <p className="quiet">{inWords(category)}</p>
      <h2 className="name">
        <EntityIcon urn={`urn:li:${name}:`} />
        {typeText(name)}
      </h2>
      <p className="urn">{name}</p>
      <p>{description}</p>
      <Edges title="Refers to" empty="It refers to nothing." edges={referencesOf(kind)} />
      <Edges title="Referred to by" empty="Nothing refers to it." edges={referrersOf(name, kinds)} />
      <h3>Aspects ({numbers.format(aspectSpecs.length)})</h3>
      <dl className="fields aspects-of">
        {aspectSpecs.map((aspect) => (
          <div key={aspect.name}>
            <dt>
              <Link to="/model" search={{ entity: name, aspect: aspect.name }}>
                {aspect.name}
              </Link>
            </dt>
            <dd>
              {aspect.description}
              <Marks aspect={aspect} isKey={aspect.name === keyAspectName} />
            </dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

function Marks({ aspect, isKey }: { aspect: Aspect; isKey: boolean }) {
  return (
    <>
      {isKey && <span className="badge">key</span>}
      {aspect.timeseries && <span className="badge">over time</span>}
    </>
  );
}

interface EdgesProps {
  readonly title: string;
  readonly empty: string;
  readonly edges: readonly Edge[];
}

function Edges({ title, empty, edges }: EdgesProps) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {edges.length === 0 ? (
        <p className="quiet">{empty}</p>
      ) : (
        <Long
          items={edges}
          most={12}
          list={(shown) => (
            <dl className="fields">
              {shown.map((edge) => (
                <div key={`${edge.aspect} ${edge.path} ${edge.relation}`}>
                  <dt>
                    <Relation edge={edge} />
                  </dt>
                  <dd>
                    <Kinds names={edge.kinds} />
                  </dd>
                </div>
              ))}
            </dl>
          )}
        />
      )}
    </section>
  );
}
