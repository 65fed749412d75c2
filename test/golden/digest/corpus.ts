import {
  BROWSE_V2_SEPARATOR,
  type SearchDocument,
  type SearchIndex,
} from '../../../src/catalog/search/index.js';
import { datasetUrn, documentOf } from '../../conformance/search-fixture.js';
import { Random } from './random.js';
import * as from from './vocabulary.js';

type Aspects = Record<string, Record<string, unknown>>;

/** How many of each kind. */
const COUNTS: Readonly<Record<string, number>> = {
  dataset: 1400,
  chart: 150,
  dashboard: 90,
  dataJob: 110,
  container: 60,
  glossaryTerm: 80,
  tag: 60,
  corpuser: 80,
  domain: 20,
};

/** Numbers of documents that are used up between two halves, so that they do not fit into 16 bits. */
const GONE = 66_000;

/** Some 2,000 documents as people have them, the same on every run. */
export function corpus(): SearchDocument[] {
  const random = new Random(1);
  const made = new Map<string, SearchDocument>();
  for (const [kind, count] of Object.entries(COUNTS)) {
    for (let i = 0; i < count; i++) {
      const document = documentOf(urnOf(random, kind, i), aspectsOf(random, kind, i), 10);
      made.set(document.urn, document);
    }
  }
  return [...made.values()].sort((a, b) => (hashOf(a.urn) < hashOf(b.urn) ? -1 : 1));
}

/** Fills the index with it by way of versions, removals and other states that must leave no trace. */
export async function fill(index: SearchIndex): Promise<SearchDocument[]> {
  const random = new Random(2);
  const documents = corpus();
  const half = documents.length >> 1;
  const batches = async (some: readonly SearchDocument[]) => {
    for (let at = 0; at < some.length; at += index.batch)
      await index.upsert(some.slice(at, at + index.batch));
  };
  const before = (document: SearchDocument): SearchDocument => {
    const other = documents[random.below(documents.length)]!;
    return { ...document, sequence: 1, fields: { ...other.fields, urn: [document.urn] } };
  };
  await batches(
    documents.slice(0, half).map((document) => (random.chance(0.3) ? before(document) : document)),
  );
  for (let at = 0; at < GONE; at += 1000) {
    const gone = random.times(1000, (i) => ({ urn: `urn:li:dataset:gone${at + i}`, sequence: 1 }));
    await index.remove(gone);
    if (at > 0) await index.forget(gone.map(({ urn }) => urn));
  }
  const removed = documents.filter((_, i) => i % 9 === 0);
  await batches(documents.slice(half).map((document) => (random.chance(0.3) ? before(document) : document)));
  await index.remove(removed.map(({ urn }) => ({ urn, sequence: 5 })));
  await batches(documents);
  const gone = documents.filter((_, i) => i % 41 === 0);
  await index.remove(gone.map(({ urn }) => ({ urn, sequence: 20 })));
  await index.forget(gone.slice(0, 10).map(({ urn }) => urn));
  await index.settle();
  return documents;
}

function urnOf(random: Random, kind: string, i: number): string {
  const name = nameOf(random);
  switch (kind) {
    case 'dataset': {
      const platform = random.skewed(from.PLATFORMS);
      const database = random.skewed(['brew', 'shop', 'logdata', 'lake']);
      const id =
        platform === 's3'
          ? `${database}/${random.skewed(from.SCHEMAS)}/${name}`
          : random.chance(0.75)
            ? `${database}.${random.skewed(from.SCHEMAS)}.${name}`
            : name;
      return datasetUrn(platform, id, random.skewed(['PROD', 'PROD', 'PROD', 'DEV', 'STG']));
    }
    case 'chart':
    case 'dashboard':
      return `urn:li:${kind}:(${random.pick(['looker', 'tableau', 'superset'])},${name}_${i})`;
    case 'dataJob':
      return `urn:li:dataJob:(urn:li:dataFlow:(airflow,${random.skewed(from.SUBJECTS)}_flow,PROD),${name})`;
    case 'corpuser':
      return `urn:li:corpuser:${random.pick(from.PEOPLE)}.${random.pick(from.SURNAMES).toLowerCase()}${i % 7 || ''}`;
    default:
      return `urn:li:${kind}:${random.chance(0.5) ? name : `${random.skewed(from.SUBJECTS)}-${i}`}`;
  }
}

/** A name in one of the spellings that people use. */
function nameOf(random: Random): string {
  const parts = [random.skewed(from.SUBJECTS)];
  if (random.chance(0.45)) parts.unshift(random.skewed(from.BEGINNINGS));
  while (random.chance(0.5)) parts.push(random.skewed(random.chance(0.7) ? from.ENDINGS : from.SUBJECTS));
  const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);
  const spelling = random.next();
  if (spelling < 0.6) return parts.join('_');
  if (spelling < 0.75) return parts.map(capital).join('');
  if (spelling < 0.85) return parts.join('-');
  if (spelling < 0.93) return parts.join(' ');
  return parts.join('.');
}

function sentence(random: Random, length: number): string {
  return random.times(length, () => random.skewed(random.chance(0.8) ? from.PROSE : from.SUBJECTS)).join(' ');
}

function proseOf(random: Random): string | undefined {
  const kind = random.next();
  if (kind < 0.3) return undefined;
  if (kind < 0.35) return '';
  return random.times(kind < 0.85 ? 1 : 8, () => `${sentence(random, 4 + random.below(12))}.`).join(' ');
}

/** A time that some entities share, in milliseconds; some lie before 1970. */
const timeOf = (random: Random) => (random.below(400) - 20) * 86_400_000 + (random.chance(0.2) ? 1 : 0);

const some = <T>(random: Random, share: number, make: () => T): T[] => (random.chance(share) ? [make()] : []);

function common(random: Random): Aspects {
  const stamp = { time: timeOf(random), actor: 'urn:li:corpuser:ada' };
  const aspects: Aspects = {};
  if (random.chance(0.5)) {
    const owners = random.times(1 + random.below(3), () => `urn:li:corpuser:${random.skewed(from.PEOPLE)}`);
    aspects['ownership'] = {
      owners: owners.map((owner) => ({ owner, type: 'DATAOWNER' })),
      ownerTypes: { 'urn:li:ownershipType:technical': owners },
    };
  }
  if (random.chance(0.45)) {
    const tags = random.times(1 + random.below(3), () => ({ tag: `urn:li:tag:${random.skewed(from.TAGS)}` }));
    aspects['globalTags'] = { tags };
  }
  if (random.chance(0.2)) {
    const terms = [{ urn: `urn:li:glossaryTerm:${random.skewed(from.TERMS)}` }];
    aspects['glossaryTerms'] = { terms, auditStamp: stamp };
  }
  if (random.chance(0.4)) aspects['domains'] = { domains: [`urn:li:domain:${random.skewed(from.DOMAINS)}`] };
  if (random.chance(0.08)) aspects['status'] = { removed: true };
  if (random.chance(0.06))
    aspects['deprecation'] = { deprecated: true, note: 'gone soon', actor: stamp.actor };
  if (random.chance(0.5)) aspects['subTypes'] = { typeNames: [random.skewed(['Table', 'View', 'Topic'])] };
  if (random.chance(0.6)) aspects['browsePathsV2'] = { path: pathOf(random).map((id) => ({ id })) };
  return aspects;
}

function pathOf(random: Random): string[] {
  const database = random.skewed(['brew', 'shop', 'lake']);
  return [
    `urn:li:container:${database}`,
    ...random.times(random.below(4), () => random.skewed(from.SCHEMAS)),
  ];
}

function aspectsOf(random: Random, kind: string, i: number): Aspects {
  const aspects = common(random);
  const description = proseOf(random);
  const said = { ...(description !== undefined && { description }) };
  const name = i % 97 === 5 ? `${nameOf(random)}_${'part_'.repeat(250)}${i}` : nameOf(random);
  const times = { created: { time: timeOf(random) }, lastModified: { time: timeOf(random) } };
  switch (kind) {
    case 'dataset':
      return { ...aspects, ...datasetAspects(random, name, { ...said, ...(random.chance(0.6) && times) }) };
    case 'chart':
      return { ...aspects, chartInfo: { title: name, ...said, type: random.pick(['BAR', 'LINE', 'PIE']) } };
    case 'dashboard':
      return { ...aspects, dashboardInfo: { title: name, ...said } };
    case 'dataJob':
      return {
        ...aspects,
        dataJobInfo: { name, ...said, env: random.pick(['PROD', 'DEV']) },
        dataJobInputOutput: {
          inputDatasets: random.times(random.below(5), (k) => datasetUrn('hive', `in${k}`)),
          outputDatasets: random.times(random.below(3), (k) => datasetUrn('hive', `out${k}`)),
        },
      };
    case 'container':
      return { ...aspects, containerProperties: { name, ...said, ...(random.chance(0.5) && times) } };
    case 'glossaryTerm':
      return { ...aspects, glossaryTermInfo: { name, definition: description ?? 'a term', termSource: 'X' } };
    case 'tag':
      return { ...aspects, tagProperties: { name, ...said } };
    case 'corpuser': {
      const fullName = `${random.pick(from.PEOPLE)} ${random.pick(from.SURNAMES)}`;
      return {
        ...aspects,
        corpUserInfo: {
          active: true,
          displayName: fullName,
          fullName,
          title: `${random.skewed(from.PROSE)} lead`,
        },
      };
    }
    default:
      return { ...aspects, domainProperties: { name, ...said } };
  }
}

function datasetAspects(random: Random, name: string, said: Record<string, unknown>): Aspects {
  const column = () => {
    const words = random.chance(0.3) ? sentence(random, 5) : undefined;
    return {
      fieldPath: `${random.skewed(from.COLUMNS)}${random.chance(0.2) ? `_${random.below(30)}` : ''}`,
      ...(words !== undefined && { description: words }),
      ...(random.chance(0.05) && {
        globalTags: { tags: [{ tag: `urn:li:tag:${random.skewed(from.TAGS)}` }] },
      }),
    };
  };
  const properties = Object.fromEntries([
    ...some(random, 0.4, () => ['team', random.skewed(from.DOMAINS)] as const),
    ...some(random, 0.3, () => ['tier', String(random.below(4))] as const),
    ...some(random, 0.1, () => ['note', sentence(random, 30)] as const),
  ]);
  const paths = () =>
    random.times(
      1 + random.below(2),
      () => `/prod/${random.skewed(from.PLATFORMS)}/${pathOf(random).slice(1).join('/')}`,
    );
  return {
    ...(random.chance(0.85) && {
      datasetProperties: { ...(random.chance(0.8) && { name }), ...said, customProperties: properties },
    }),
    ...(random.chance(0.7) && { schemaMetadata: { fields: random.times(2 + random.below(9), column) } }),
    ...(random.chance(0.1) && { editableDatasetProperties: { description: sentence(random, 12) } }),
    ...(random.chance(0.4) && { browsePaths: { paths: paths() } }),
    ...(random.chance(0.2) && {
      container: { container: `urn:li:container:${random.skewed(from.SCHEMAS)}` },
    }),
  };
}

/** An order that has nothing to do with that of the URNs. */
function hashOf(text: string): number {
  let hash = 2166136261;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 16777619);
  return hash >>> 0;
}

/** Levels of both trees to be browsed: every path that documents stand at, and all above. */
export function levelsOf(documents: readonly SearchDocument[], field: string): string[][] {
  const separator = field === 'browsePaths' ? '/' : BROWSE_V2_SEPARATOR;
  const levels = new Map<string, string[]>();
  for (const { fields } of documents) {
    for (const value of fields[field] ?? []) {
      const parts = String(value).split(separator).filter(Boolean);
      for (let depth = 0; depth <= parts.length; depth++) {
        const level = parts.slice(0, depth);
        levels.set(level.join(separator), level);
      }
    }
  }
  return [...levels].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, level]) => level);
}
