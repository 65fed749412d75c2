/** Outlines of our own on a grid of 24: what kind of place data is in, not whose product it is. */
const OUTLINES = {
  database: 'M3 6c0-4 18-4 18 0v12c0 4-18 4-18 0z',
  warehouse: 'M12 1.5l9.5 5.3v10.4L12 22.5l-9.5-5.3V6.8z',
  stream: 'M12 1.5a10.5 10.5 0 1 0 .01 0z',
  files: 'M2.5 4h7l2.5 3h9.5v14h-19z',
  report: 'M2 3h20v14h-7l-3 5-3-5H2z',
  pipeline: 'M2 4h14l6.5 8L16 20H2z',
  other: 'M6 2h12a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4V6a4 4 0 0 1 4-4z',
} as const;

const KINDS: Readonly<Record<keyof typeof OUTLINES, readonly string[]>> = {
  database: [
    'mysql',
    'mariadb',
    'postgres',
    'oracle',
    'mssql',
    'db2',
    'mongodb',
    'cassandra',
    'sqlite',
    'neo4j',
  ],
  warehouse: [
    'snowflake',
    'bigquery',
    'redshift',
    'databricks',
    'clickhouse',
    'teradata',
    'vertica',
    'trino',
    'presto',
    'druid',
  ],
  stream: ['kafka', 'kinesis', 'pulsar', 'pubsub', 'event-hubs'],
  files: ['s3', 'gcs', 'abs', 'hdfs', 'file', 'hive', 'iceberg', 'delta-lake', 'hudi', 'glue', 'athena'],
  report: [
    'looker',
    'tableau',
    'powerbi',
    'superset',
    'metabase',
    'mode',
    'redash',
    'qlik-sense',
    'grafana',
    'sigma',
  ],
  pipeline: [
    'airflow',
    'dbt',
    'dagster',
    'prefect',
    'spark',
    'flink',
    'fivetran',
    'nifi',
    'kafka-connect',
    'airbyte',
  ],
  other: [],
};

const KIND_OF = new Map(
  Object.entries(KINDS).flatMap(([kind, names]) =>
    names.map((name) => [name, kind as keyof typeof OUTLINES]),
  ),
);

/** White letters are readable on each of them. */
const FILLS = ['#1d4ed8', '#0f766e', '#9a3412', '#7e22ce', '#be123c', '#3f6212', '#0e7490', '#57534e'];

export interface PlatformShape {
  readonly outline: string;
  readonly fill: string;
  readonly letters: string;
}

/** The same picture for the same name, also for platforms that nobody has heard of. */
export function shapeOf(platform: string): PlatformShape {
  let sum = 0;
  for (const character of platform) sum = (sum * 31 + character.codePointAt(0)!) % 9973;
  const words = platform.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = words.length > 1 ? `${words[0]![0]}${words[1]![0]}` : platform.slice(0, 2);
  return {
    outline: OUTLINES[KIND_OF.get(platform) ?? 'other'],
    fill: FILLS[sum % FILLS.length]!,
    letters: letters.charAt(0).toUpperCase() + letters.slice(1),
  };
}

export function PlatformIcon({ platform }: { platform: string }) {
  const { outline, fill, letters } = shapeOf(platform);
  return (
    <svg className="platform" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={outline} fill={fill} />
      <text x="12" y="16" textAnchor="middle" fontSize="10.5" fontWeight="700" fill="#fff">
        {letters}
      </text>
    </svg>
  );
}
