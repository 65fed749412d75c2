import { Dialog, DialogBackdrop, DialogPanel, DialogTitle } from '@headlessui/react';
import { useState, type ReactNode } from 'react';
import { Conflict, Halfway, same, type Edit, type Faults } from './edit.js';
import { useEditing } from './editing.js';

/** What a form gets to work with. */
export interface FormProps<Value> {
  readonly draft: Value;
  readonly change: (draft: Value) => void;
  readonly nameOf: (urn: string) => string;
  /** Says what a chosen entity is called. */
  readonly learn: (urn: string, name: string) => void;
  /** What was refused of the fields. */
  readonly faults: Faults;
}

interface EditDialogProps<Value> {
  readonly title: string;
  readonly edit: Edit<Value>;
  /** The change that the dialog is about, where there is just one. */
  readonly proposal?: ((from: Value) => Value) | undefined;
  readonly form: (props: FormProps<Value>) => ReactNode;
  readonly onClose: () => void;
}

/** A form, what it will do in words, and what was refused. */
export function EditDialog<Value>({ title, edit, proposal, form, onClose }: EditDialogProps<Value>) {
  const { target, aspects, make } = useEditing();
  const [from, setFrom] = useState(() => edit.read(aspects, target.urn));
  const [begun] = useState(() => edit.begin?.(aspects) ?? from);
  const [draft, setDraft] = useState(() => proposal?.(from) ?? begun);
  const [learned, setLearned] = useState<ReadonlyMap<string, string>>(new Map());
  const [pending, setPending] = useState(false);
  const [refused, setRefused] = useState<string>();
  const [conflict, setConflict] = useState<{ latest: Value }>();
  const [faults, setFaults] = useState<Faults>(new Map());
  const nameOf = (urn: string) => learned.get(urn) ?? target.nameOf(urn);
  const steps = same(draft, begun) ? [] : edit.plan({ ...target, nameOf }, from, draft);
  // The names of what another user chose come after it.
  const problem = conflict
    ? `Another user changed it in the meantime. Now it is: ${edit.inWords(conflict.latest, nameOf)}. Look at what this does and save again.`
    : refused;
  const save = async () => {
    setPending(true);
    setRefused(undefined);
    setConflict(undefined);
    setFaults(new Map());
    try {
      await make(
        { ...edit, plan: (_, ...values) => edit.plan({ ...target, nameOf }, ...values) },
        from,
        draft,
      );
      onClose();
    } catch (error) {
      if (error instanceof Conflict) {
        const latest = error.latest as Value;
        setFrom(latest);
        if (edit.merge) setDraft(edit.merge(from, draft, latest));
        setConflict({ latest });
      } else {
        const halfway = error instanceof Halfway ? error : undefined;
        const done = halfway && halfway.done.length > 0 ? ` Done: ${halfway.done.join('. ')}.` : '';
        // What is edited is named above.
        const faultText = (text: string) => text.replace(`${target.urn}: `, '');
        setFaults(new Map([...(halfway?.faults ?? [])].map(([field, text]) => [field, faultText(text)])));
        const why = halfway && halfway.faults.size > 0 ? 'see what is marked' : (error as Error).message;
        setRefused(`Refused: ${why}.${done}`);
      }
      setPending(false);
    }
  };
  // What is shown at once needs no waiting: the dialog comes back with what was refused.
  return (
    <Dialog open={!(pending && edit.expect)} onClose={onClose} className="dialog">
      <DialogBackdrop className="backdrop" />
      <div className="around">
        <DialogPanel
          className="dialog-panel"
          as="form"
          onSubmit={(event) => (event.preventDefault(), void save())}
        >
          <DialogTitle>{title}</DialogTitle>
          {form({
            draft,
            change: setDraft,
            nameOf,
            learn: (urn, name) => setLearned((known) => new Map(known).set(urn, name)),
            faults,
          })}
          <div role="status" className="plan">
            {steps.length === 0 ? (
              <p className="quiet">Changes nothing so far.</p>
            ) : (
              <ul>
                {steps
                  .flatMap(({ words }) => words)
                  .map((words) => (
                    <li key={words}>{words}</li>
                  ))}
              </ul>
            )}
          </div>
          {problem && (
            <p role="alert" className="problem">
              {problem}
            </p>
          )}
          <div className="row">
            <button type="submit" className="main" disabled={steps.length === 0 || pending}>
              {pending ? 'Saving…' : 'Save'}
            </button>
            <button type="button" onClick={onClose}>
              Cancel
            </button>
          </div>
        </DialogPanel>
      </div>
    </Dialog>
  );
}
