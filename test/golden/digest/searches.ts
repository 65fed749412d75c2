import {
  BROWSE_V2_SEPARATOR,
  type SearchDocument,
  type SearchIndex,
} from '../../../src/catalog/search/index.js';
import { requestOf, schema, type Ask } from '../../conformance/search-fixture.js';
import { levelsOf } from './corpus.js';
import { Random } from './random.js';
import * as from from './vocabulary.js';

/** A search with what it is called; its answer is compared as JSON. */
export interface Generated {
  title: string;
  run: (index: SearchIndex) => Promise<unknown>;
}

/** Some 2,000 searches, the same on every run. */
export function searches(documents: readonly SearchDocument[]): Generated[] {
  const generator = new Generator(documents);
  return [
    ...generator.many(850, 'search', () => generator.typed()),
    ...generator.many(440, 'query', () => generator.queryString()),
    ...generator.many(250, 'filter', () => generator.filtered()),
    ...generator.walks(80),
    ...generator.completions(220),
    ...generator.levels('browsePaths', '/', 70),
    ...generator.levels('browsePathV2', BROWSE_V2_SEPARATOR, 70),
  ];
}

const KINDS = [
  'dataset',
  'chart',
  'dashboard',
  'dataJob',
  'container',
  'glossaryTerm',
  'tag',
  'corpuser',
  'domain',
];
const SORTS = [
  'name',
  'createdAt',
  'lastModifiedAt',
  'urn',
  'platform',
  '_entityName',
  'owners',
  'description',
  'title',
];
const FACETS = [
  'platform',
  'tags',
  'owners',
  'origin',
  'domains',
  'typeNames',
  '_entityType',
  'glossaryTerms',
  'hasOwners',
  'customProperties',
  'description',
  'createdAt',
  'deprecated',
  'platform␞origin',
  '_entityType␞tags',
  'domains␞owners',
  'origin␞description',
];

class Generator {
  private readonly random = new Random(3);

  constructor(private readonly documents: readonly SearchDocument[]) {}

  many(count: number, kind: string, make: () => Ask): Generated[] {
    return this.random.times(count, () => {
      const ask = make();
      return { title: titleOf(kind, ask), run: (index) => index.search(requestOf(ask)) };
    });
  }

  typed(): Ask {
    const { random } = this;
    const filter = random.chance(0.2) ? { filter: this.filter() } : {};
    return { input: this.text(), ...filter, ...this.options() };
  }

  queryString(): Ask {
    const { random } = this;
    const parts = random.times(1 + random.below(3), () => this.clause());
    const queryString = parts.join(random.pick([' ', ' ', ' AND ', ' OR ', ' NOT ', ' OR -']));
    const grouped = random.chance(0.15) ? `(${queryString}) AND ${this.clause()}` : queryString;
    return { queryString: grouped, ...this.options() };
  }

  filtered(): Ask {
    return { filter: this.filter(), ...this.options() };
  }

  /** Whole walks: every page, and how it says where to go on. */
  walks(count: number): Generated[] {
    const { random } = this;
    return random.times(count, () => {
      const ask = random.pick([() => this.typed(), () => this.filtered(), () => this.queryString()])();
      const each = { ...ask, count: random.pick([7, 50, 200, 1000]), facets: ask.facets?.slice(0, 1) ?? [] };
      if (each.count === 7)
        each.filter = this.clauseOf(['tags', 'EQUAL', `urn:li:tag:${random.pick(from.TAGS)}`]);
      const run = async (index: SearchIndex) => {
        const pages: unknown[] = [];
        for (let after: string | undefined, more = true; more; more = after !== undefined) {
          const { start: _, ...request } = requestOf(each);
          const page = await index.scroll({ ...request, ...(after !== undefined && { after }) });
          pages.push(page);
          after = page.next;
        }
        return pages;
      };
      return { title: titleOf('scroll', each), run };
    });
  }

  completions(count: number): Generated[] {
    const { random } = this;
    return random.times(count, () => {
      const entities = this.entities();
      const name = random.chance(0.7) ? this.realName(entities) : this.text().replaceAll('"', '');
      const text = random.chance(0.7) ? [...name].slice(0, 1 + random.below(12)).join('') : name;
      const all = schema.autocomplete(entities).map((field) => field.name);
      const fields = random.chance(0.75)
        ? all
        : random.chance(0.5)
          ? all.slice(0, 1)
          : ['description', ...all];
      const limit = random.pick([1, 5, 10, 10, 50]);
      const filter = random.chance(0.2) ? { filter: this.filter() } : {};
      const ask = { entities, ...filter };
      return {
        title: titleOf('autocomplete', { ...ask, text, fields, limit }),
        run: async (index) => {
          const found = await index.autocomplete({ ...requestOf(ask), text, fields, limit });
          return found.map(({ others: _, ...suggestion }) => suggestion);
        },
      };
    });
  }

  levels(field: string, separator: string, count: number): Generated[] {
    const { random } = this;
    const levels = levelsOf(this.documents, field);
    const step = Math.max(1, Math.floor(levels.length / count));
    const some = [...levels.filter((_, i) => i % step === 0), ['nowhere'], ['prod', 'nowhere']];
    return some.map((path, i) => {
      const narrowed = i % 4 === 3 ? { filter: this.filter() } : {};
      const ask = { entities: random.chance(0.7) ? ['dataset'] : this.entities(), ...narrowed };
      const page = { start: random.pick([0, 0, 3]), count: random.pick([10, 100]) };
      return {
        title: titleOf('browse', { path: separator + path.join(separator), ...ask, ...page }),
        run: (index) => index.browse({ ...requestOf(ask), field, separator, path, ...page }),
      };
    });
  }

  private entities(): string[] {
    const kind = this.random.next();
    if (kind < 0.6) return ['dataset'];
    return kind < 0.9 ? KINDS : this.random.times(1 + this.random.below(2), () => this.random.pick(KINDS));
  }

  private options(): Ask {
    const { random } = this;
    const facets = random.chance(0.4) ? random.times(1 + random.below(4), () => random.pick(FACETS)) : [];
    const sort = random.chance(0.2)
      ? random.times(1 + random.below(2), () => ({
          field: random.pick(SORTS),
          descending: random.chance(0.5),
        }))
      : undefined;
    return {
      entities: [...new Set(this.entities())],
      start: random.pick([0, 0, 0, 0, 0, 0, 5, 10, 30]),
      count: random.pick([0, 1, 10, 10, 10, 50, 200]),
      facets: [...new Set(facets)],
      maxFacetValues: random.pick([20, 20, 3]),
      ...(sort && { sort }),
      ...(random.chance(0.1) && { includeRemoved: true }),
      ...(random.chance(0.2) && { matchedFields: true }),
      ...(random.chance(0.1) && { fetch: ['name', 'tags', 'description'] }),
    };
  }

  private word(): string {
    const { random } = this;
    const word = random.skewed(
      random.pick([from.SUBJECTS, from.PROSE, from.ENDINGS, from.COLUMNS, from.SCHEMAS]),
    );
    if (random.chance(0.15)) return word.slice(0, Math.max(1, random.below(word.length)));
    if (random.chance(0.1)) return word.toUpperCase();
    return random.chance(0.05) ? `${word}*` : word;
  }

  private realName(entities: readonly string[] = KINDS): string {
    const { random } = this;
    for (;;) {
      const { entity, fields } = random.pick(this.documents);
      const name = fields[random.pick(['name', 'title', 'id', '_entityName', 'ldap', 'fullName'])]?.[0];
      if (name !== undefined && entities.includes(entity)) return String(name).slice(0, 300);
    }
  }

  /** Words that stand side by side in a description. */
  private realWords(count: number): string[] {
    const { random } = this;
    for (;;) {
      const { fields } = random.pick(this.documents);
      const words = String(fields['description']?.[0] ?? '')
        .replaceAll('"', '')
        .split(' ');
      if (words.length < count + 2) continue;
      const at = random.below(words.length - count);
      return words.slice(at, at + count);
    }
  }

  /** What somebody types into the search box. */
  private text(): string {
    const { random } = this;
    const kind = random.next();
    if (kind < 0.3) return this.word();
    if (kind < 0.55) return random.times(2, () => this.word()).join(' ');
    if (kind < 0.65)
      return random.times(2 + random.below(3), () => this.word()).join(random.pick(['_', '-', '.']));
    if (kind < 0.72)
      return `"${random.times(2 + random.below(2), () => random.skewed(from.PROSE)).join(' ')}"`;
    if (kind < 0.86) return this.realName();
    if (kind < 0.9) return this.realName().toUpperCase().replaceAll('_', '-');
    if (kind < 0.93) return random.pick(this.documents).urn;
    if (kind < 0.96) return `${this.realWords(1).join(' ')} "${this.realWords(2).join(' ')}"`;
    if (kind < 0.98) return `${random.pick(['tags', 'platform', 'owners', 'name'])}:${this.word()}`;
    return random.pick(['*', '', 'nonesuch', '!!!', 'a', 'urn:li:dataset:nowhere']);
  }

  /** A piece of the query language. */
  private clause(): string {
    const { random } = this;
    const word = () => random.skewed(random.pick([from.SUBJECTS, from.PROSE, from.COLUMNS, from.ENDINGS]));
    const letters = (text: string) => text.replace(/[^\p{L}\p{N}_]/gu, '') || 'x';
    const plain = () => letters(word());
    const field = () =>
      random.pick(['name', 'description', 'fieldPaths', 'id', 'title', 'customProperties', '*']);
    const end = () => random.pick([from.PROSE, from.SUBJECTS]);
    const makers: Array<() => string> = [
      () => plain(),
      () => plain(),
      () => `${plain().slice(0, 4)}*`,
      () => `*${plain().slice(-3)}`,
      () => `${plain().slice(0, 2)}*${plain().slice(-1)}`,
      () => `${plain().slice(0, 1)}?${plain().slice(2)}`,
      () => `/${plain().slice(0, 3)}.*/`,
      () => `/(${plain()}|${plain()})s?/`,
      () => `${plain()}~`,
      () => `${plain()}~1`,
      () => `"${random.skewed(from.PROSE.slice(0, 30))} ${random.skewed(from.PROSE.slice(0, 30))}"`,
      () => `"${this.realWords(2).reverse().map(letters).join(' ')}"~${random.below(5)}`,
      () => `"${this.realWords(3).map(letters).join(' ')}"`,
      () =>
        `"${random.skewed(from.PROSE.slice(0, 20))} ${random.skewed(end())} ${plain()}"~${random.below(12)}`,
      () => `${field()}:${plain()}`,
      () => `${field()}:${plain().slice(0, 3)}*`,
      () => `${field()}:"${plain()} ${plain()}"~3`,
      () => `${field()}:${plain()}~`,
      () => `name:/${plain().slice(0, 4)}[a-z_]*/`,
      () => `tags:${random.skewed(from.TAGS)}`,
      () => `tags:${random.skewed(from.TAGS).slice(0, 2)}*`,
      () => `platform:${random.skewed(from.PLATFORMS)}`,
      () => `owners:urn\\:li\\:corpuser\\:${random.skewed(from.PEOPLE)}`,
      () => `_exists_:${random.pick(['owners', 'description', 'createdAt', 'domains', 'nonesuch'])}`,
      () => `createdAt:[${random.below(300) * 86_400_000} TO *]`,
      () => `createdAt:<${random.below(300) * 86_400_000}`,
      () => `name:[${plain()} TO ${plain()}x}`,
      () => `origin:${random.pick(['PROD', 'DEV', 'STG'])}`,
      () =>
        `${this.realName()
          .replace(/[^\p{L}\p{N}_]+/gu, '_')
          .slice(0, 60)}`,
    ];
    return random.pick(makers)();
  }

  private clauseOf(...criteria: ReadonlyArray<readonly [string, string, ...string[]]>): unknown {
    const and = criteria.map(([field, condition, ...values]) => ({ field, condition, values }));
    return { or: [{ and }] };
  }

  private filter(): unknown {
    const { random } = this;
    const and = () => ({
      and: random.times(1 + random.below(2), () => ({ ...this.criterion(), negated: random.chance(0.15) })),
    });
    return { or: random.times(random.chance(0.8) ? 1 : 2, and) };
  }

  private criterion(): { field: string; condition: string; values: string[] } {
    const { random } = this;
    const time = () => String(random.below(300) * 86_400_000);
    const text = () =>
      random.pick(['name', 'id', 'description', 'fieldPaths', 'urn', 'title', 'qualifiedName']);
    const values = <T>(make: () => T) => random.times(random.chance(0.7) ? 1 : 2 + random.below(3), make);
    const compare = ['GREATER_THAN', 'GREATER_THAN_OR_EQUAL_TO', 'LESS_THAN', 'LESS_THAN_OR_EQUAL_TO'];
    const real = random.pick(this.documents);
    const makers: Array<() => [string, string, string[]]> = [
      () => ['tags', 'EQUAL', values(() => `urn:li:tag:${random.skewed(from.TAGS)}`)],
      () => ['platform', 'EQUAL', values(() => `urn:li:dataPlatform:${random.skewed(from.PLATFORMS)}`)],
      () => ['owners', 'EQUAL', values(() => `urn:li:corpuser:${random.skewed(from.PEOPLE)}`)],
      () => ['domains', 'IN', values(() => `urn:li:domain:${random.skewed(from.DOMAINS)}`)],
      () => ['origin', 'EQUAL', values(() => random.pick(['PROD', 'DEV', 'STG']))],
      () => ['hasOwners', 'EQUAL', [random.pick(['true', 'false'])]],
      () => ['deprecated', 'EQUAL', ['true']],
      () => [
        random.pick(['owners', 'description', 'createdAt', 'nonesuch']),
        random.pick(['EXISTS', 'IS_NULL']),
        [],
      ],
      () => ['createdAt', random.pick(compare), [time()]],
      () => ['numInputDatasets', random.pick([...compare, 'EQUAL']), [String(random.below(5))]],
      () => ['name', random.pick(compare), [random.skewed(from.SUBJECTS)]],
      () => [text(), 'CONTAIN', values(() => random.skewed(from.SUBJECTS))],
      () => [text(), 'START_WITH', values(() => random.skewed(from.BEGINNINGS))],
      () => [text(), 'END_WITH', values(() => random.skewed(from.ENDINGS))],
      () => [text(), 'IEQUAL', values(() => this.realName().toUpperCase())],
      () => ['urn', 'EQUAL', values(() => random.pick(this.documents).urn)],
      () => ['description', 'EQUAL', [String(real.fields['description']?.[0] ?? 'none')]],
      () => ['name', 'EQUAL', [String(real.fields['name']?.[0] ?? 'none')]],
      () => ['browsePathV2', 'CONTAIN', [random.skewed(from.SCHEMAS)]],
      () => ['customProperties', 'EQUAL', [`team=${random.skewed(from.DOMAINS)}`]],
      () => ['_entityType', 'EQUAL', [random.pick(['DATASET', 'chart'])]],
    ];
    const [field, condition, all] = random.pick(makers)();
    return { field, condition, values: all };
  }
}

function titleOf(kind: string, ask: object): string {
  const said = JSON.stringify(ask);
  return `${kind} ${said.length > 160 ? `${said.slice(0, 160)}…` : said}`;
}
