import { lazy, Suspense, useState, type ReactNode } from 'react';
import { plainPath } from '../words.js';
import { columnEdit, type ColumnText } from './column.js';
import { EditDialog, type FormProps } from './dialog.js';
import type { Edit, ListEdit } from './edit.js';
import { useEditing } from './editing.js';
import { DESCRIPTION, DOMAIN, TAGS, TERMS } from './kinds.js';
import { LINKS } from './links.js';
import { DEPRECATION, REMOVAL } from './marks.js';
import { OWNERS } from './owners.js';
import { Picker } from './picker.js';
import { PROPERTIES } from './properties.js';

interface ControlProps<Value> {
  readonly what: string;
  readonly right: Parameters<ReturnType<typeof useEditing>['may']>[0];
  readonly edit: Edit<Value>;
  readonly form: (props: FormProps<Value>) => ReactNode;
  /** What the button says where that is not "Edit". */
  readonly action?: string;
  /** What the dialog is called before the name of the entity. */
  readonly title?: string;
  readonly proposal?: ((from: Value) => Value) | undefined;
}

/** A button that opens a form, for those who may. */
function Control<Value>(props: ControlProps<Value>) {
  const { what, right, edit, form, action, title = `Edit ${what} of`, proposal } = props;
  const { target, may } = useEditing();
  const [open, setOpen] = useState(false);
  // A form that is open stays, with what was refused.
  return (
    <>
      {may(right) && (
        <button
          className="small edit"
          {...(action === undefined && { 'aria-label': `Edit ${what}` })}
          onClick={() => setOpen(true)}
        >
          {action ?? 'Edit'}
        </button>
      )}
      {open && (
        <EditDialog
          title={`${title} ${target.name}`}
          edit={edit}
          proposal={proposal}
          form={form}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

const picking = (label: string, edit: ListEdit, single = false) =>
  function Picking(props: FormProps<readonly string[]>) {
    return <Picker label={label} types={edit.types} single={single} focus {...props} />;
  };

export const EditTags = () => (
  <Control what="tags" right="canEditTags" edit={TAGS} form={picking('Tags', TAGS)} />
);

export const EditTerms = () => (
  <Control what="terms" right="canEditGlossaryTerms" edit={TERMS} form={picking('Terms', TERMS)} />
);

export const EditDomain = () => (
  <Control what="domain" right="canEditDomains" edit={DOMAIN} form={picking('Domain', DOMAIN, true)} />
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

/** Forms with several fields come with the first dialog that needs one. */
const forms = () => import('./forms.js');
const OwnersForm = lazy(async () => ({ default: (await forms()).OwnersForm }));
const LinksForm = lazy(async () => ({ default: (await forms()).LinksForm }));
const PropertiesForm = lazy(async () => ({ default: (await forms()).PropertiesForm }));
const DeprecationForm = lazy(async () => ({ default: (await forms()).DeprecationForm }));
const RemovalForm = lazy(async () => ({ default: (await forms()).RemovalForm }));
const ColumnForm = lazy(async () => ({ default: (await forms()).ColumnForm }));

const late = (form: ReactNode) => <Suspense fallback={<p role="status">Loading…</p>}>{form}</Suspense>;

export const EditOwners = () => (
  <Control
    what="owners"
    right="canEditOwners"
    edit={OWNERS}
    form={(props) => late(<OwnersForm {...props} />)}
  />
);

export const EditLinks = () => (
  <Control what="links" right="canEditLinks" edit={LINKS} form={(props) => late(<LinksForm {...props} />)} />
);

export const EditProperties = () => (
  <Control
    what="structured properties"
    right="canEditProperties"
    edit={PROPERTIES}
    form={(props) => late(<PropertiesForm {...props} />)}
  />
);

export function EditDeprecation({ deprecated }: { deprecated: boolean }) {
  return (
    <Control
      what="deprecation"
      right="canEditDeprecation"
      edit={DEPRECATION}
      {...(deprecated ? { action: 'Edit deprecation' } : { action: 'Deprecate', title: 'Deprecate' })}
      proposal={(from) => from ?? { note: '' }}
      form={(props) => late(<DeprecationForm {...props} />)}
    />
  );
}

export function EditRemoval({ removed }: { removed: boolean }) {
  const action = removed ? 'Restore' : 'Remove';
  return (
    <Control
      what="removal"
      right="canManageEntity"
      edit={REMOVAL}
      action={action}
      title={action}
      proposal={(from) => !from}
      form={(props) => late(<RemovalForm {...props} />)}
    />
  );
}

/** Edits a column of the table around it. */
export function EditColumn({ path, action }: { path: string; action?: string }) {
  return (
    <Control<ColumnText>
      what={`column ${plainPath(path)}`}
      {...(action !== undefined && { action })}
      right="canEditSchemaFieldDescription"
      edit={columnEdit(path)}
      form={(props) => late(<ColumnForm path={path} {...props} />)}
    />
  );
}
