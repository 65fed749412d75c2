import { Tab, TabGroup, TabList, TabPanel, TabPanels } from '@headlessui/react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { ask } from '../api.js';
import { EditColumn, EditDeprecation, EditRemoval } from '../edits/controls.js';
import { Editable } from '../edits/editing.js';
import { EntityDocument } from '../generated.js';
import { EntityIcon } from '../icons.js';
import { LineagePanel } from '../lineage/panel.js';
import { Problem } from '../problem.js';
import { Title } from '../title.js';
import { columnOf, dayText, inWords, kindOf, lastOf, platformOf } from '../words.js';
import { Assets } from './assets.js';
import { Columns } from './columns.js';
import { columnIn, factsOf, othersOf, parseAspects, withColumn, type Aspects, type Facts } from './facts.js';
import { EntityLink, Named } from './names.js';
import { Overview } from './overview.js';
import { RawAspects, type RawAspect } from './raw-aspects.js';
import { SameAsAll } from './same-as-all.js';
import { Statistics } from './statistics.js';
import { Value } from './value.js';

const History = lazy(() => import('./history.js'));

export interface EntityPlace {
  urn: string;
  tab?: string | undefined;
}

export const readEntity = ({ urn, tab }: Record<string, unknown>): EntityPlace => ({
  urn: typeof urn === 'string' ? urn : '',
  ...(typeof tab === 'string' && { tab }),
});

export const entityQuery = (urn: string) =>
  queryOptions({
    queryKey: ['entity', urn],
    queryFn: ({ signal }) => ask(EntityDocument, { urn }, { signal }),
  });

const NONE: readonly RawAspect[] = [];

/** The page of an entity of any type. */
export function EntityPage() {
  const { urn } = useSearch({ from: '/entity' });
  const { data, error, isPending, refetch } = useQuery(entityQuery(urn));
  const raw = data?.entity?.aspects ?? NONE;
  const aspects = useMemo(() => parseAspects(raw), [raw]);
  const schema = useSchema(urn);
  const { column } = schema;
  const facts = useMemo(() => {
    const own = factsOf(aspects);
    return column ? withColumn(own, column) : own;
  }, [aspects, column]);
  const name = data?.entity?.displayName ?? lastOf(urn);
  // A column is there by the schema of its table, also where nothing else is said of it.
  const there = data?.entity?.exists === true || column !== undefined;
  const kinds = [...facts.subTypes, kindOf(urn), platformOf(urn)];
  const named = useMemo(() => [aspects, schema.table, column], [aspects, schema.table, column]);
  return (
    <Named value={named}>
      <article className="entity" aria-busy={isPending || schema.isPending}>
        <Title text={`${name} · Catalog`} />
        <p className="quiet">{kinds.filter(Boolean).join(' · ')}</p>
        <h1>
          <EntityIcon urn={urn} />
          {name}
          {facts.removed && <span className="badge removed">removed</span>}
          {facts.deprecation && <span className="badge">deprecated</span>}
        </h1>
        <p className="urn">{urn}</p>
        <Warnings facts={facts} />
        {error && <Problem error={error} retry={refetch} />}
        {data && !there && !schema.isPending && <p role="alert">Nothing is known of this entity.</p>}
        {schema.table !== undefined && (
          <p>
            A column of <EntityLink urn={schema.table} />
            {column && (
              <>
                : <code>{column.type}</code>
                {!column.nullable && <span className="quiet"> not null</span>}
                {column.key && <span className="badge">key</span>}
              </>
            )}
          </p>
        )}
        {data && there && (
          <Editable key={urn} urn={urn} name={name} aspects={aspects}>
            <div className="row actions">
              <EditDeprecation deprecated={facts.deprecation !== undefined} />
              <EditRemoval removed={facts.removed} />
              <Assets urn={urn} />
            </div>
            {column && schema.table !== undefined && (
              <Editable urn={schema.table} name={schema.name} aspects={schema.aspects}>
                <EditColumn path={column.path} action="Edit description, tags and terms" />
              </Editable>
            )}
            <Tabs urn={urn} raw={raw} aspects={aspects} facts={facts} />
          </Editable>
        )}
      </article>
    </Named>
  );
}

/** Of a column: the table that it belongs to, and what is said of it there. */
function useSchema(urn: string) {
  const named = useMemo(() => columnOf(urn), [urn]);
  const { data, isPending } = useQuery({
    ...entityQuery(named?.table ?? ''),
    enabled: named !== undefined,
  });
  const raw = data?.entity?.aspects ?? NONE;
  const aspects: Aspects = useMemo(() => parseAspects(raw), [raw]);
  const column = useMemo(() => (named ? columnIn(aspects, named.path) : undefined), [aspects, named]);
  const table = named?.table;
  const name = data?.entity?.displayName ?? lastOf(table ?? '');
  return { table, name, column, aspects, isPending: named !== undefined && isPending };
}

function Warnings({ facts: { removed, deprecation } }: { facts: Facts }) {
  return (
    <>
      {removed && <p className="warning">Removed: searches leave it out. It can be restored.</p>}
      {deprecation && (
        <p className="warning">
          Deprecated{deprecation.note && `: ${deprecation.note}`}
          {deprecation.decommissionTime !== undefined &&
            ` It will be gone on ${dayText(deprecation.decommissionTime)}.`}
          {deprecation.replacement && (
            <>
              {' '}
              Use <EntityLink urn={deprecation.replacement} /> in its place.
            </>
          )}
        </p>
      )}
    </>
  );
}

interface TabsProps {
  urn: string;
  raw: readonly RawAspect[];
  aspects: ReturnType<typeof parseAspects>;
  facts: Facts;
}

function Tabs({ urn, raw, aspects, facts }: TabsProps) {
  const { tab } = useSearch({ from: '/entity' });
  const navigate = useNavigate();
  const others = othersOf(aspects);
  const tabs = [
    { id: 'overview', title: 'Overview', content: <Overview urn={urn} facts={facts} /> },
    ...(facts.columns.length > 0
      ? [
          {
            id: 'columns',
            title: `Columns (${facts.columns.length})`,
            content: <Columns urn={urn} columns={facts.columns} />,
          },
        ]
      : []),
    { id: 'lineage', title: 'Lineage', content: <LineagePanel urn={urn} /> },
    ...(urn.startsWith('urn:li:dataset:')
      ? [{ id: 'statistics', title: 'Statistics', content: <Statistics urn={urn} /> }]
      : []),
    {
      id: 'history',
      title: 'History',
      content: (
        <Suspense fallback={<p role="status">Loading…</p>}>
          <History urn={urn} />
        </Suspense>
      ),
    },
    {
      id: 'details',
      title: 'Details',
      content: others.map(([aspect, value]) => (
        <section key={aspect}>
          <h2>{inWords(aspect)}</h2>
          <Value value={value} />
        </section>
      )),
    },
    { id: 'raw', title: 'JSON', content: <RawAspects aspects={raw} /> },
    { id: 'same', title: 'The same as', content: <SameAsAll urn={urn} /> },
  ];
  const chosen = Math.max(
    0,
    tabs.findIndex(({ id }) => id === tab),
  );
  return (
    <TabGroup
      selectedIndex={chosen}
      onChange={(index) =>
        void navigate({
          to: '/entity',
          search: { urn, tab: index === 0 ? undefined : tabs[index]?.id },
          replace: true,
          resetScroll: false,
        })
      }
    >
      <TabList className="tabs">
        {tabs.map(({ id, title }) => (
          <Tab key={id} className="tab">
            {title}
          </Tab>
        ))}
      </TabList>
      <TabPanels>
        {tabs.map(({ id, content }) => (
          <TabPanel key={id} className="panel">
            {content}
          </TabPanel>
        ))}
      </TabPanels>
    </TabGroup>
  );
}
