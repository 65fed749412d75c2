import { useQuery } from '@tanstack/react-query';
import { ask } from '../api.js';
import type { Deprecation } from '../entity/facts.js';
import { LineageStartDocument } from '../generated.js';
import { numbers } from '../words.js';
import type { FormProps } from './dialog.js';
import { useEditing } from './editing.js';
import { Fault, Field } from './field.js';
import { Picker } from './picker.js';

/** Whether it may be used, until when, and what to use instead. */
export function DeprecationForm(props: FormProps<Deprecation | null>) {
  const { draft, change, nameOf, learn, faults } = props;
  const day = draft?.decommissionTime;
  const put = (part: Partial<Record<keyof Deprecation, Deprecation[keyof Deprecation]>>) => {
    const { note, replacement, decommissionTime } = { ...draft, ...part } as Deprecation;
    change({
      note: note ?? '',
      ...(replacement !== undefined && { replacement }),
      ...(decommissionTime !== undefined && { decommissionTime }),
    });
  };
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={draft !== null}
          onChange={({ target: { checked } }) => change(checked ? { note: '' } : null)}
        />
        It should no longer be used
      </label>
      {draft !== null && (
        <>
          <Field label="What its users should know" fault={faults.get('note')}>
            {(attributes) => (
              <textarea
                {...attributes}
                rows={3}
                autoFocus
                value={draft.note}
                onChange={({ target: { value: note } }) => put({ note })}
              />
            )}
          </Field>
          <Field label="Day on which it will be gone" fault={faults.get('decommissionTime')}>
            {(attributes) => (
              <input
                {...attributes}
                type="date"
                value={day === undefined ? '' : new Date(day).toISOString().slice(0, 10)}
                onChange={({ target: { value } }) =>
                  put({ decommissionTime: value === '' ? undefined : Date.parse(`${value}T00:00:00Z`) })
                }
              />
            )}
          </Field>
          <h3>What to use in its place</h3>
          <Picker
            label="Replacement"
            types={[]}
            single
            draft={draft.replacement === undefined ? [] : [draft.replacement]}
            change={([replacement]) => put({ replacement })}
            nameOf={nameOf}
            learn={learn}
          />
          <Fault text={faults.get('replacement')} />
        </>
      )}
    </>
  );
}

/** What a removal hides, and what it leaves. */
export function RemovalForm({ draft }: FormProps<boolean>) {
  const { target } = useEditing();
  const { data } = useQuery({
    queryKey: ['lineage-start', target.urn],
    queryFn: ({ signal }) => ask(LineageStartDocument, { urn: target.urn }, { signal }),
  });
  const users = data?.entity?.downstreams?.total ?? 0;
  return draft ? (
    <>
      <p>
        Searches, suggestions and browsing leave it out from then on. What is known of it stays, and so do
        links to it. It can be restored.
      </p>
      {users > 0 && (
        <p className="warning">
          {users === 1
            ? 'One entity is made of it directly.'
            : `${numbers.format(users)} entities are made of it directly.`}
        </p>
      )}
    </>
  ) : (
    <p>Searches, suggestions and browsing show it again, with all that is known of it.</p>
  );
}
