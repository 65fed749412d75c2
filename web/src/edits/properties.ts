import { ask } from '../api.js';
import { factsOf, type Assigned } from '../entity/facts.js';
import { UpsertPropertiesDocument } from '../generated.js';
import { same, type Edit } from './edit.js';

/** Values as they are sent: what is empty in the form is none. */
const filled = (assigned: readonly Assigned[]): Assigned[] =>
  assigned
    .map(({ urn, values }) => ({ urn, values: values.filter((value) => value !== '') }))
    .filter(({ values }) => values.length > 0);

/** Values in words. */
export const textOf = (values: Assigned['values'] | undefined, nameOf: (urn: string) => string): string =>
  (values ?? []).map((value) => (typeof value === 'string' ? nameOfValue(value, nameOf) : value)).join(', ');

const nameOfValue = (value: string, nameOf: (urn: string) => string): string =>
  value.startsWith('urn:li:') ? nameOf(value) : value;

/** The field of a value: that of its property, where there is none. */
export const fieldOf = (urn: string, value?: string | number): string =>
  value === undefined ? urn : `${urn} ${value}`;

/** All values of structured properties; one mutation replaces them. */
export const PROPERTIES: Edit<readonly Assigned[]> = {
  read: (aspects) => factsOf(aspects).structured,
  plan: ({ urn: assetUrn, name, nameOf }, from, draft) => {
    const to = filled(draft);
    const urns = [...new Set([...from, ...to].map(({ urn }) => urn))];
    const words = urns.flatMap((urn) => {
      const [before, after] = [from, to].map((all) => all.find((one) => one.urn === urn)?.values);
      if (same(before, after)) return [];
      const property = nameOf(urn);
      if (after === undefined) return [`Takes ${property} from ${name}`];
      const next = textOf(after, nameOf);
      return before === undefined
        ? [`Sets ${property} of ${name} to ${next}`]
        : [`Changes ${property} of ${name} from ${textOf(before, nameOf)} to ${next}`];
    });
    if (words.length === 0) return [];
    const structuredPropertyInputParams = to.map(({ urn, values }) => ({
      structuredPropertyUrn: urn,
      values: values.map((value) =>
        typeof value === 'number' ? { numberValue: value } : { stringValue: value },
      ),
    }));
    return [
      {
        words,
        run: () => ask(UpsertPropertiesDocument, { input: { assetUrn, structuredPropertyInputParams } }),
        field: (pointer) => {
          const [, property, value] =
            /structuredPropertyInputParams\/(\d+)(?:\/values\/(\d+))?/.exec(pointer) ?? [];
          const found = to[Number(property)];
          return found && fieldOf(found.urn, found.values[Number(value)]);
        },
      },
    ];
  },
  inWords: (assigned, nameOf) =>
    assigned.map(({ urn, values }) => `${nameOf(urn)}: ${textOf(values, nameOf)}`).join('; ') || 'none',
  merge: (from, draft, latest) => {
    const valuesIn = (all: readonly Assigned[], urn: string) => all.find((one) => one.urn === urn)?.values;
    return [...new Set([...latest, ...draft].map(({ urn }) => urn))].flatMap((urn) => {
      const mine = same(valuesIn(from, urn), valuesIn(draft, urn)) ? latest : draft;
      const values = valuesIn(mine, urn);
      return values === undefined ? [] : [{ urn, values }];
    });
  },
};
