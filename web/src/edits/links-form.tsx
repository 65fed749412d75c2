import type { EntityLinkTo } from '../entity/facts.js';
import type { FormProps } from './dialog.js';
import { Field } from './field.js';

/** Addresses of documentation, and what is found there. */
export function LinksForm({ draft, change, faults }: FormProps<readonly EntityLinkTo[]>) {
  return (
    <>
      <ul className="rows links" aria-label="Links">
        {draft.map((link, index) => (
          <li key={index}>
            <Field label="Address" fault={faults.get(`linkUrl ${index}`)}>
              {(attributes) => (
                <input
                  {...attributes}
                  inputMode="url"
                  autoFocus={link.url === ''}
                  placeholder="https://…"
                  value={link.url}
                  onChange={({ target: { value: url } }) => change(draft.with(index, { ...link, url }))}
                />
              )}
            </Field>
            <Field label="What is found there" fault={faults.get(`label ${index}`)}>
              {(attributes) => (
                <input
                  {...attributes}
                  value={link.label}
                  onChange={({ target: { value: label } }) => change(draft.with(index, { ...link, label }))}
                />
              )}
            </Field>
            <label className="check">
              <input
                type="checkbox"
                checked={link.preview === true}
                onChange={({ target: { checked: preview } }) =>
                  change(draft.with(index, { ...link, preview }))
                }
              />
              In previews too
            </label>
            <button
              type="button"
              className="small"
              aria-label={`Take out ${link.label || link.url || 'the new link'}`}
              onClick={() => change(draft.toSpliced(index, 1))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="more" onClick={() => change([...draft, { url: '', label: '' }])}>
        Add a link
      </button>
    </>
  );
}
