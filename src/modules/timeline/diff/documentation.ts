import { isRecord } from '../../../catalog/model/index.js';
import { columnUrn } from '../../../catalog/urn/index.js';
import type { ChangeEvent, Differ, Value } from '../change-event.js';
import { allKeys, collect, compare, keyed } from './keyed.js';

/** The description of an entity: a text field of one of its aspects. */
export function descriptionDiffer(field: string): Differ {
  return {
    category: 'DOCUMENTATION',
    diff: (urn, before, after) => describe(urn, urn, before?.[field], after?.[field]),
  };
}

/** Descriptions of columns. */
export function columnDescriptionDiffer(list: string): Differ {
  const columns = (value: Value) => keyed(value, list, (entry) => entry['fieldPath']);
  return {
    category: 'DOCUMENTATION',
    *diff(urn, before, after) {
      const [then, now] = [yield* columns(before), yield* columns(after)];
      return yield* collect(allKeys(then, now), (fieldPath) =>
        describe(
          columnUrn(urn, fieldPath),
          `column ${fieldPath}`,
          then.get(fieldPath)?.['description'],
          now.get(fieldPath)?.['description'],
          { fieldPath },
        ),
      );
    },
  };
}

/** Texts about an entity, one from each source. */
export const TEXTS: Differ = {
  category: 'DOCUMENTATION',
  *diff(urn, before, after) {
    const texts = (value: Value) => keyed(value, 'documentations', sourceOf);
    const [then, now] = [yield* texts(before), yield* texts(after)];
    return yield* collect(allKeys(then, now), (source) =>
      describe(
        urn,
        source === '' ? urn : `${urn} by ${source}`,
        then.get(source)?.['documentation'],
        now.get(source)?.['documentation'],
        source === '' ? {} : { attributionSource: source },
      ),
    );
  },
};

/** The source that a text is from; empty where none is named. */
function sourceOf({ attribution }: Record<string, unknown>): string {
  const source = isRecord(attribution) ? attribution['source'] : undefined;
  return typeof source === 'string' ? source : '';
}

/** Links to further documentation. */
export const LINKS: Differ = {
  category: 'DOCUMENTATION',
  *diff(entityUrn, before, after) {
    const links = (value: Value) => keyed(value, 'elements', (entry) => entry['url']);
    const { added, removed } = yield* compare(yield* links(before), yield* links(after));
    const event = (operation: 'ADD' | 'REMOVE', url: string): ChangeEvent => ({
      category: 'DOCUMENTATION',
      operation,
      entityUrn,
      modifier: url,
      semVerChange: 'MINOR',
      description: `Link ${url} was ${operation === 'ADD' ? 'added to' : 'removed from'} ${entityUrn}.`,
    });
    return [...removed.map(([url]) => event('REMOVE', url)), ...added.map(([url]) => event('ADD', url))];
  },
};

function describe(
  entityUrn: string,
  where: string,
  before: unknown,
  after: unknown,
  more: Record<string, unknown> = {},
): ChangeEvent[] {
  const then = typeof before === 'string' ? before : '';
  const now = typeof after === 'string' ? after : '';
  if (then === now) return [];
  const operation = then === '' ? 'ADD' : now === '' ? 'REMOVE' : 'MODIFY';
  const said = {
    ADD: `is now '${now}'`,
    REMOVE: `was removed, it was '${then}'`,
    MODIFY: `is now '${now}', it was '${then}'`,
  };
  return [
    {
      category: 'DOCUMENTATION',
      operation,
      entityUrn,
      parameters: { ...more, description: now, ...(then !== '' && { previousDescription: then }) },
      semVerChange: operation === 'MODIFY' ? 'PATCH' : 'MINOR',
      description: `The description of ${where} ${said[operation]}.`,
    },
  ];
}
