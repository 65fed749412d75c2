import type { AspectSpec, EntitySpec, JsonSchema } from '../../../catalog/model/index.js';

/** Whether GraphQL takes a text as a name. */
export function isName(text: string): boolean {
  return /^(?!__)[A-Za-z_]\w*$/.test(text);
}

/** The text as a name: what a name cannot have becomes an underscore. */
export function nameOf(text: string): string {
  const name = text.replaceAll(/\W/g, '_').replace(/^_{2,}/, '_');
  return /^\d/.test(name) || name === '' ? `_${name}` : name;
}

/** The type of an entity that says nothing of it: `mlModel` is MLModel, `aiAgent` AIAgent, `printer` Printer. */
export function usualTypeName(entity: string): string {
  return pascal(nameOf(entity).replace(/^(ml|ai)(?=[A-Z])/, (text) => text.toUpperCase()));
}

export function entityTypeNamed({ name, graphql }: EntitySpec): string {
  return graphql?.type ?? usualTypeName(name);
}

/** The query that answers one entity by its URN. */
export function queryNamed({ name, graphql }: EntitySpec): string {
  return graphql?.query ?? nameOf(name);
}

/**
 * Names for the field of an aspect, the best first: without the name of its entity (`properties` for `chartProperties`,
 * `editableProperties` for `editableChartProperties`), and in full. Those of time series are in the plural.
 */
export function aspectFieldNames(entity: EntitySpec, aspect: AspectSpec): readonly string[] {
  if (aspect === entity.key) return ['key', nameOf(aspect.name)];
  const full = nameOf(aspect.name);
  const short = aspect.schema['x-graphql']?.field ?? withoutEntity(full, entity.name);
  return (short === full ? [full] : [short, full]).map((name) =>
    aspect.kind === 'timeseries' ? plural(name) : name,
  );
}

function withoutEntity(aspect: string, entity: string): string {
  const [, editable = '', rest = ''] = /^(editable)?(.*)$/.exec(aspect) ?? [];
  if (!rest.toLowerCase().startsWith(entity.toLowerCase())) return aspect;
  const left = rest.slice(entity.length);
  if (!/^[A-Z]/.test(left)) return aspect;
  return editable === '' ? left.charAt(0).toLowerCase() + left.slice(1) : editable + left;
}

const plural = (name: string) => (name.endsWith('s') ? name : `${name}s`);

/**
 * Names for the type of a record, the best first: its last part, `EditableChartProperties` turned as clients know it,
 * then with what stands before it.
 */
export function recordTypeNames(record: string, schema: JsonSchema | undefined): readonly string[] {
  const name = schema?.['x-graphql']?.type;
  if (name !== undefined) return [name, `${name}Record`];
  const parts = record.split('.').map(nameOf);
  const last = pascal(parts.at(-1) ?? '');
  const turned = last
    .replace(/^Editable(.+)Properties$/, '$1EditableProperties')
    .replace(/^MlModel/, 'MLModel');
  return [turned, `${turned}Record`, pascal(parts.map(pascal).join(''))];
}

/** The first letter as a capital. */
export function pascal(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a name says, as a sentence: for what has no description. */
export function sentenceOf(name: string): string {
  const words = name
    .replaceAll(/[\W_]/g, ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .trim()
    .split(/\s+/)
    .map((word) => {
      if (/^ur[nl]$/i.test(word)) return word.toUpperCase();
      const kept = /^[A-Z]{2,}$/.test(word) && name !== name.toUpperCase();
      return kept ? word : word.toLowerCase();
    });
  return `${pascal(words.join(' ')) || name}.`;
}
