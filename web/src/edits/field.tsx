import { useId, type ReactNode } from 'react';

/** What a control of a form is told. */
export interface FieldAttributes {
  readonly id: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-describedby'?: string;
}

interface FieldProps {
  readonly label: string;
  /** What was refused of it. */
  readonly fault?: string | undefined;
  /** Where the label is for screen readers only: what is around it says it to others. */
  readonly quiet?: boolean;
  readonly children: (attributes: FieldAttributes) => ReactNode;
}

/** A control with its label, and what was refused of it. */
export function Field({ label, fault, quiet = false, children }: FieldProps) {
  const id = useId();
  const about = `${id}-fault`;
  return (
    <div className="field">
      <label htmlFor={id} className={quiet ? 'unseen' : undefined}>
        {label}
      </label>
      {children(fault === undefined ? { id } : { id, 'aria-invalid': true, 'aria-describedby': about })}
      <Fault text={fault} id={about} />
    </div>
  );
}

export function Fault({ text, id }: { text: string | undefined; id?: string }) {
  return text === undefined ? null : (
    <p id={id} role="alert" className="problem">
      {text}
    </p>
  );
}
