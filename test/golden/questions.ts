/** Expectations about the answers to one question; `queries.yaml` says what each means. */
export interface Question {
  ask: string;
  in?: string | string[];
  where?: string[][];
  sort?: string[];
  first?: string[];
  top?: Record<string, string[]>;
  before?: string[];
  contains?: string[];
  exactly?: string[];
  absent?: string[];
  total?: number;
  why?: string;
}

export interface Golden {
  search: Question[];
  autocomplete: Question[];
  browse: Array<{
    path: string;
    in?: string;
    groups?: Record<string, number>;
    entities?: string[];
    below?: number;
  }>;
  paths: Array<{ of: string; are: string[] }>;
  facets: Array<{
    ask: string;
    field: string;
    counts?: Record<string, number>;
    some?: Record<string, number>;
  }>;
}

/** How the entities of the example data are named, apart from its datasets. */
const KINDS: Readonly<Record<string, (id: string) => string>> = {
  chart: (id) => `urn:li:chart:(looker,${id})`,
  dashboard: (id) => `urn:li:dashboard:(looker,${id})`,
  term: (id) => `urn:li:glossaryTerm:${id}`,
  node: (id) => `urn:li:glossaryNode:${id}`,
  tag: (id) => `urn:li:tag:${id}`,
  user: (id) => `urn:li:corpuser:${id}`,
  group: (id) => `urn:li:corpGroup:${id}`,
  domain: (id) => `urn:li:domain:${id}`,
  container: (id) => `urn:li:container:${id}`,
  platform: (id) => `urn:li:dataPlatform:${id}`,
  property: (id) => `urn:li:structuredProperty:${id}`,
  flow: (id) => `urn:li:dataFlow:(airflow,${id},PROD)`,
  job: (id) => `urn:li:dataJob:(urn:li:dataFlow:(airflow,${id.replace('/', ',PROD),')})`,
};

/** The URN that a name in `queries.yaml` stands for. */
export function urnOf(text: string): string {
  const [kind = '', id = '', origin = 'PROD'] = text.split(' ');
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  return known ? known(id) : `urn:li:dataset:(urn:li:dataPlatform:${kind},${id},${origin})`;
}

export function titleOf({ ask, in: kinds, where, sort }: Question): string {
  const parts = [
    JSON.stringify(ask),
    kinds && `in ${[kinds].flat().join(', ')}`,
    where && `where ${where.map((words) => words.join(' ')).join(' and ')}`,
    sort && `by ${sort.join(', ')}`,
  ];
  return parts.filter(Boolean).join(' ');
}
