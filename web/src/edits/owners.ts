import { ask } from '../api.js';
import { at, factsOf, list, ownershipTypeOf, type Owner } from '../entity/facts.js';
import { AddOwnersDocument, RemoveOwnerDocument } from '../generated.js';
import { inWords, lastOf } from '../words.js';
import { merged, same, without, type Edit, type Step } from './edit.js';

/** What ships with the service; it needs no entity. */
const SYSTEM_TYPE = 'urn:li:ownershipType:__system__';
export const SYSTEM_TYPES = ['technical_owner', 'business_owner', 'data_steward', 'none'].map(
  (name) => SYSTEM_TYPE + name,
);
export const [TECHNICAL_OWNER] = SYSTEM_TYPES as [string];

/** A kind of ownership, as people call it. */
export const ownershipText = (type: string, nameOf: (urn: string) => string): string =>
  type === `${SYSTEM_TYPE}none`
    ? 'Owner'
    : type.startsWith(SYSTEM_TYPE)
      ? inWords(lastOf(type).replace('__system__', ''))
      : nameOf(type);

const textOf = ({ urn, type }: Owner, nameOf: (urn: string) => string): string =>
  `${nameOf(urn)} as ${ownershipText(type, nameOf)}`;

/** Who answers for an entity, in which role. */
export const OWNERS: Edit<readonly Owner[]> = {
  read: (aspects) => factsOf(aspects).owners,
  plan: ({ urn: resourceUrn, name, nameOf }, from, to) => {
    const added = without(to, from);
    const owners = added.map(({ urn, type }) => ({
      ownerUrn: urn,
      ownerEntityType: urn.startsWith('urn:li:corpGroup:') ? ('CORP_GROUP' as const) : ('CORP_USER' as const),
      ownershipTypeUrn: type,
    }));
    // First those who come: nothing is without an owner in between.
    const steps: Step[] =
      added.length === 0
        ? []
        : [
            {
              words: added.map((one) => `Adds ${textOf(one, nameOf)} of ${name}`),
              run: () => ask(AddOwnersDocument, { input: { resourceUrn, owners } }),
              field: (pointer) => added[Number(/\/owners\/(\d+)/.exec(pointer)?.[1])]?.urn,
            },
          ];
    return steps.concat(
      without(from, to).map((one) => ({
        words: [`Takes off ${textOf(one, nameOf)} of ${name}`],
        run: () =>
          ask(RemoveOwnerDocument, {
            input: { resourceUrn, ownerUrn: one.urn, ownershipTypeUrn: one.type },
          }),
      })),
    );
  },
  inWords: (owners, nameOf) => owners.map((one) => textOf(one, nameOf)).join(', ') || 'none',
  merge: merged,
  expect: (aspects, to) => ({
    ...aspects,
    ownership: {
      ...(aspects['ownership'] as object),
      owners: to.map(
        (owner) =>
          list(at(aspects['ownership'], 'owners')).find((one) =>
            same({ urn: at(one, 'owner'), type: ownershipTypeOf(one) }, owner),
          ) ?? { owner: owner.urn, typeUrn: owner.type },
      ),
    },
  }),
};
