import { useEditing } from './editing.js';
import { ingestedColumn, type ColumnText } from './column.js';
import type { FormProps } from './dialog.js';
import { Field } from './field.js';
import { namesOf, TAG, TERM } from './kinds.js';
import { Picker } from './picker.js';

/** Description, tags and terms of a column, beside those that come from its source. */
export function ColumnForm({ path, ...props }: FormProps<ColumnText> & { path: string }) {
  const { draft, change, nameOf, learn } = props;
  const { aspects } = useEditing();
  const source = ingestedColumn(aspects, path);
  return (
    <>
      <Field label="Description, in Markdown">
        {(attributes) => (
          <textarea
            {...attributes}
            rows={4}
            autoFocus
            value={draft.description}
            onChange={({ target: { value: description } }) => change({ ...draft, description })}
          />
        )}
      </Field>
      {source?.description && <p className="quiet">Its source says: {source.description}</p>}
      <h3>Tags</h3>
      {source && source.tags.length > 0 && (
        <p className="quiet">From its source: {namesOf(source.tags, nameOf)}</p>
      )}
      <Picker
        label="Tags"
        types={TAG.types}
        draft={draft.tags}
        change={(tags) => change({ ...draft, tags })}
        nameOf={nameOf}
        learn={learn}
      />
      <h3>Terms</h3>
      {source && source.terms.length > 0 && (
        <p className="quiet">From its source: {namesOf(source.terms, nameOf)}</p>
      )}
      <Picker
        label="Terms"
        types={TERM.types}
        draft={draft.terms}
        change={(terms) => change({ ...draft, terms })}
        nameOf={nameOf}
        learn={learn}
      />
    </>
  );
}
