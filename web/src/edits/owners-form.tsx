import { useQuery } from '@tanstack/react-query';
import { ask } from '../api.js';
import type { Owner } from '../entity/facts.js';
import { OwnershipTypesDocument } from '../generated.js';
import { EntityIcon } from '../icons.js';
import type { FormProps } from './dialog.js';
import { same } from './edit.js';
import { Fault } from './field.js';
import { entitiesOf, Finder } from './finder.js';
import { ownershipText, SYSTEM_TYPES, TECHNICAL_OWNER } from './owners.js';

const PEOPLE = entitiesOf(['CORP_USER', 'CORP_GROUP']);

/** Who owns it, each with a role. */
export function OwnersForm({ draft, change, nameOf, learn, faults }: FormProps<readonly Owner[]>) {
  const { data } = useQuery({
    queryKey: ['ownership-types'],
    queryFn: ({ signal }) => ask(OwnershipTypesDocument, {}, { signal }),
  });
  const own = new Map(
    (data?.listOwnershipTypes.ownershipTypes ?? []).map(({ urn, displayName }) => [urn, displayName]),
  );
  const textOf = (type: string) => ownershipText(type, (urn) => own.get(urn) ?? nameOf(urn));
  const types = [...new Set([...SYSTEM_TYPES, ...own.keys(), ...draft.map(({ type }) => type)])];
  /** Each owner once in each role. */
  const put = (owners: readonly Owner[]) =>
    change(owners.filter((one, index) => owners.findIndex((other) => same(one, other)) === index));
  return (
    <>
      <ul className="rows" aria-label="Owners">
        {draft.map((owner, index) => (
          <li key={`${owner.urn} ${owner.type}`}>
            <span className="name">
              <EntityIcon urn={owner.urn} />
              {nameOf(owner.urn)}
            </span>
            <select
              aria-label={`Role of ${nameOf(owner.urn)}`}
              value={owner.type}
              onChange={({ target: { value: type } }) => {
                learn(type, textOf(type));
                put(draft.with(index, { ...owner, type }));
              }}
            >
              {types.map((type) => (
                <option key={type} value={type}>
                  {textOf(type)}
                </option>
              ))}
            </select>
            <button
              type="button"
              className="small"
              aria-label={`Take out ${nameOf(owner.urn)}`}
              onClick={() => change(draft.toSpliced(index, 1))}
            >
              ×
            </button>
            <Fault text={faults.get(owner.urn)} />
          </li>
        ))}
      </ul>
      <Finder
        label="Find owners"
        source={PEOPLE}
        focus
        onFound={(urn, name) => {
          learn(urn, name);
          // Who is there already gets a role more.
          const free = types.find((type) => !draft.some((one) => one.urn === urn && one.type === type));
          put([...draft, { urn, type: free ?? TECHNICAL_OWNER }]);
        }}
      />
    </>
  );
}
