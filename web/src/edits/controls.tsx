import { useState, type ReactNode } from 'react';
import { EditDialog, type FormProps } from './dialog.js';
import type { Edit, ListEdit } from './edit.js';
import { useEditing } from './editing.js';
import { DESCRIPTION, TAGS, TERMS } from './kinds.js';
import { Picker } from './picker.js';

interface ControlProps<Value> {
  readonly what: string;
  readonly right: Parameters<ReturnType<typeof useEditing>['may']>[0];
  readonly edit: Edit<Value>;
  readonly form: (props: FormProps<Value>) => ReactNode;
}

/** A button that opens a form, for those who may. */
function Control<Value>({ what, right, edit, form }: ControlProps<Value>) {
  const { target, may } = useEditing();
  const [open, setOpen] = useState(false);
  // A form that is open stays, with what was refused.
  return (
    <>
      {may(right) && (
        <button className="small edit" aria-label={`Edit ${what}`} onClick={() => setOpen(true)}>
          Edit
        </button>
      )}
      {open && (
        <EditDialog
          title={`Edit ${what} of ${target.name}`}
          edit={edit}
          form={form}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

const picking = (label: string, edit: ListEdit) =>
  function Picking(props: FormProps<readonly string[]>) {
    return <Picker label={label} types={edit.types} {...props} />;
  };

export const EditTags = () => (
  <Control what="tags" right="canEditTags" edit={TAGS} form={picking('Tags', TAGS)} />
);

export const EditTerms = () => (
  <Control what="terms" right="canEditGlossaryTerms" edit={TERMS} form={picking('Terms', TERMS)} />
);

export const EditDescription = () => (
  <Control
    what="description"
    right="canEditDescription"
    edit={DESCRIPTION}
    form={({ draft, change }) => (
      <textarea
        aria-label="Description, in Markdown"
        rows={10}
        autoFocus
        value={draft}
        onChange={(event) => change(event.target.value)}
      />
    )}
  />
);
