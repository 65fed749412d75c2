import { refuse } from '../../catalog/errors/index.js';
import type { LineageDataset, LineageEvent } from './lineage-event.js';

/** Projects that send events of their own, by where their `producer` points to. */
const PROJECTS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\/apache\/airflow(\/|$)/, 'airflow'],
  [/\/trinodb\/trino(\/|$)/, 'trino'],
  [/\/OpenLineage\/OpenLineage\/.*?([^/]+)\/?$/, '$1'],
  // Any other project is called after its repository.
  [/^https?:\/\/(?:www\.)?(?:github|gitlab)\.com\/[^/]+\/([^/]+?)(?:\.git)?(?:\/.*)?$/, '$1'],
];

/** Platforms that the schemes of OpenLineage call otherwise. */
const PLATFORMS: Readonly<Record<string, string>> = {
  awsathena: 'athena',
  sqlserver: 'mssql',
  s3a: 's3',
  s3n: 's3',
  gs: 'gcs',
  abfss: 'abfs',
  wasbs: 'abfs',
  wasb: 'abfs',
};
/** Stores of files whose bucket is part of the name. */
const BUCKETS: ReadonlySet<string> = new Set(['s3', 'gcs', 'abfs']);
const FILE_SYSTEMS: ReadonlySet<string> = new Set(['file', 'hdfs', 'dbfs']);
const GLUE = /^(arn:)?aws:glue:/;

/** The tool that runs the job of an event. @throws CatalogError PARAMETER_INVALID when nothing names it */
export function orchestratorOf({ producer, run }: LineageEvent): string {
  const engine = run?.facets?.processing_engine?.name;
  if (engine !== undefined && engine !== '') return engine.toLowerCase();
  for (const [pattern, name] of PROJECTS) {
    const match = pattern.exec(producer);
    if (match) return (name === '$1' ? match[1]! : name).toLowerCase();
  }
  throw refuse(
    'PARAMETER_INVALID',
    'names no orchestrator: it must be an address such as https://github.com/<organisation>/<project>, or the run ' +
      'needs the facet processing_engine',
    '/producer',
  );
}

/** The flow of a job is what comes before the first dot of its name; the rest is what people call it. */
export function jobNames(name: string): { flow: string; display: string } {
  const dot = name.indexOf('.');
  if (dot <= 0 || dot === name.length - 1) return { flow: name, display: name };
  return { flow: name.slice(0, dot), display: name.slice(dot + 1) };
}

/** Platform and name of a dataset. A table behind it, named by the facet `symlinks`, goes first. */
export function datasetNames({ namespace, name, facets }: LineageDataset): {
  platform: string;
  name: string;
} {
  const table = facets?.symlinks?.identifiers?.find(({ type }) => type === 'TABLE');
  if (table !== undefined) {
    const platform = GLUE.test(table.namespace) ? 'glue' : 'hive';
    return { platform, name: tableName(table.name) };
  }
  if (GLUE.test(namespace)) return { platform: 'glue', name: tableName(name) };
  const match = /^([a-z][a-z\d+.-]*):\/\/(.*)$/is.exec(namespace);
  const scheme = (match?.[1] ?? namespace).toLowerCase();
  const platform = PLATFORMS[scheme] ?? scheme;
  const path = name.replace(/^\/+/, '');
  if (BUCKETS.has(platform)) {
    const bucket = (match?.[2] ?? '').replace(/\/+$/, '');
    return { platform, name: bucket === '' ? path : `${bucket}/${path}` };
  }
  return { platform, name: FILE_SYSTEMS.has(platform) ? `/${path}` : name };
}

/** `table/<database>/<table>` of Glue. */
function tableName(name: string): string {
  return name.startsWith('table/') ? name.slice('table/'.length).replaceAll('/', '.') : name;
}
