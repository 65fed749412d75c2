import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use, useState, type ReactNode } from 'react';
import { afterPaint } from '../after-paint.js';
import { ask } from '../api.js';
import { parseAspects, type Aspects } from '../entity/facts.js';
import { useNames } from '../entity/names.js';
import {
  ColumnRightsDocument,
  EntityDocument,
  RightsDocument,
  type AssetRightsFragment,
  type EntityQuery,
} from '../generated.js';
import { columnOf } from '../words.js';
import { Conflict, same, take, type Edit, type Target } from './edit.js';

type Right = keyof AssetRightsFragment;

/** What was done, and how it is undone. */
interface Done {
  readonly words: readonly string[];
  readonly undo?: () => Promise<void>;
}

interface Editing {
  readonly target: Target;
  readonly aspects: Aspects;
  readonly may: (right: Right) => boolean;
  /**
   * Makes an edit, unless the value is another by now.
   * @throws Conflict, Halfway, Refusal
   */
  readonly make: <Value>(edit: Edit<Value>, from: Value, to: Value) => Promise<void>;
}

const EditingContext = createContext<Editing | undefined>(undefined);

export function useEditing(): Editing {
  const editing = use(EditingContext);
  if (!editing) throw new Error('There is nothing to edit here.');
  return editing;
}

const read = async (urn: string): Promise<Aspects> =>
  parseAspects((await ask(EntityDocument, { urn })).entity?.aspects ?? []);

async function rightsOf(urn: string, signal: AbortSignal): Promise<Partial<AssetRightsFragment>> {
  const column = columnOf(urn);
  if (column) {
    const { dataset } = await ask(ColumnRightsDocument, { urn: column.table }, { signal });
    const fields = dataset?.schemaMetadata?.fields ?? [];
    const own = fields.find((field) => field.schemaFieldEntity?.urn === urn);
    return own?.schemaFieldEntity?.privileges ?? {};
  }
  const { entity } = await ask(RightsDocument, { urn }, { signal });
  return (entity && 'privileges' in entity ? entity.privileges : undefined) ?? {};
}

/** Lets those who may edit what is inside. */
export function Editable(props: { urn: string; name: string; aspects: Aspects; children: ReactNode }) {
  const { urn, name, aspects, children } = props;
  const client = useQueryClient();
  const nameOf = useNames();
  const [done, setDone] = useState<Done>({ words: [] });
  const [refused, setRefused] = useState<string>();
  const { data: rights = {} } = useQuery({
    queryKey: ['rights', urn],
    queryFn: async ({ signal }) => {
      await afterPaint();
      return rightsOf(urn, signal);
    },
  });
  const target = { urn, name, nameOf };

  const make = async <Value,>(edit: Edit<Value>, from: Value, to: Value, undoing = false): Promise<void> => {
    setRefused(undefined);
    setDone({ words: [] });
    const steps = edit.plan(target, from, to);
    const key = ['entity', urn];
    await client.cancelQueries({ queryKey: key });
    const before = client.getQueryData<EntityQuery>(key);
    if (edit.expect && before) client.setQueryData(key, expected(before, edit.expect(aspects, to)));
    try {
      const latest = edit.read(await read(urn), urn);
      if (!same(latest, from)) throw new Conflict(latest);
      await take(steps);
    } catch (error) {
      client.setQueryData(key, before);
      throw error;
    } finally {
      // Names, lists and pictures show it too.
      await client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== 'me' });
    }
    const words = steps.flatMap((step) => step.words);
    const undoable = !undoing && edit.undoable?.(from) !== false;
    setDone(undoable ? { words, undo: () => make(edit, to, from, true) } : { words });
  };

  return (
    <EditingContext value={{ target, aspects, may: (right) => rights[right] === true, make }}>
      <div role="status" className="done">
        {done.words.length > 0 && (
          <p>
            Done: {done.words.join('. ')}.{' '}
            {done.undo && (
              <button onClick={() => void done.undo?.().catch((error: Error) => setRefused(error.message))}>
                Undo
              </button>
            )}
          </p>
        )}
      </div>
      {refused && (
        <p role="alert" className="problem">
          Not undone: {refused}
        </p>
      )}
      {children}
    </EditingContext>
  );
}

/** An answer with other aspects. */
function expected(answer: EntityQuery, aspects: Aspects): EntityQuery {
  if (!answer.entity) return answer;
  const texts = Object.entries(aspects).map(([aspectName, value]) => ({
    aspectName,
    payload: JSON.stringify(value),
  }));
  return { ...answer, entity: { ...answer.entity, aspects: texts } };
}
