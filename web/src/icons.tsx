/** Paths of our own on a grid of 16, drawn as lines. */
const PATHS = {
  table: 'M2 3h12v10H2zM2 6.5h12M2 9.8h12M6 6.5V13',
  chart: 'M2.5 2v11.5H14M5.5 11V8M8.5 11V4.5M11.5 11V6.5',
  board: 'M2 3h12v10H2zM8 3v10M8 8h6',
  task: 'M8 2.5a5.5 5.5 0 1 0 .01 0M6.8 5.8v4.4L10.4 8z',
  flow: 'M2 6h4v4H2zM10 2.5h4v4h-4zM10 9.5h4v4h-4zM6 8h2V4.5h2M8 8v3.5h2',
  box: 'M2 5l6-3 6 3v6l-6 3-6-3zM2 5l6 3 6-3M8 8v6',
  tag: 'M2.5 2.5h5.5l5.5 5.5-5.5 5.5L2.5 8zM5.2 5.2h.01',
  term: 'M3 2.5h8.5L13 4v9.5H3zM5.5 6h5M5.5 8.5h5M5.5 11h3',
  tree: 'M2 3h5v3H2zM9 6.5h5v3H9zM9 11h5v3H9zM4 6v6.5h5M4 8h5',
  domain: 'M8 2a6 6 0 1 0 .01 0M2 8h12M8 2c-4 4-4 8 0 12M8 2c4 4 4 8 0 12',
  person: 'M8 2.5a2.7 2.7 0 1 0 .01 0M3 14c0-3 2-5 5-5s5 2 5 5',
  people:
    'M6 3a2.3 2.3 0 1 0 .01 0M2 13c0-2.5 1.5-4.5 4-4.5s4 2 4 4.5M11 4a2 2 0 1 0 .01 0M11.5 8.7c1.7.3 2.5 2 2.5 4.3',
  property: 'M2 4.5h8M13 4.5h1M2 11.5h1M6 11.5h8M10 3v3M6 10v3',
  model: 'M8 2v3M8 11v3M2 8h3M11 8h3M5 5h6v6H5z',
  platform: 'M2.5 4c0-2 11-2 11 0v8c0 2-11 2-11 0zM2.5 4c0 2 11 2 11 0M2.5 8c0 2 11 2 11 0',
  column: 'M5.5 2h5v12h-5zM5.5 6h5M5.5 10h5',
  entity: 'M3 3h10v10H3zM6 8h4',
} as const;

type Shape = keyof typeof PATHS;

/** By the name of a type as URNs have it, in small letters without anything between its words. */
const SHAPES: Readonly<Record<string, Shape>> = {
  dataset: 'table',
  ermodelrelationship: 'table',
  query: 'term',
  chart: 'chart',
  metric: 'chart',
  dashboard: 'board',
  notebook: 'term',
  datajob: 'task',
  dataprocess: 'task',
  dataprocessinstance: 'task',
  dataflow: 'flow',
  container: 'box',
  dataproduct: 'box',
  application: 'box',
  tag: 'tag',
  glossaryterm: 'term',
  glossarynode: 'tree',
  document: 'term',
  domain: 'domain',
  corpuser: 'person',
  corpgroup: 'people',
  datahubrole: 'people',
  structuredproperty: 'property',
  form: 'property',
  mlmodel: 'model',
  mlmodelgroup: 'model',
  mlfeature: 'column',
  mlfeaturetable: 'table',
  mlprimarykey: 'column',
  schemafield: 'column',
  businessattribute: 'column',
  dataplatform: 'platform',
  dataplatforminstance: 'platform',
};

/** The icon of the type of an entity. */
export function EntityIcon({ urn }: { urn: string }) {
  const type = (urn.split(':')[2] ?? '').toLowerCase();
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[SHAPES[type] ?? 'entity']} />
    </svg>
  );
}
