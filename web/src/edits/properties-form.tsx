import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ask } from '../api.js';
import type { Assigned } from '../entity/facts.js';
import {
  FindPropertiesDocument,
  PropertyRulesDocument,
  type EntityType,
  type PropertyRulesQuery,
} from '../generated.js';
import { inWords, lastOf, typeText } from '../words.js';
import type { FormProps } from './dialog.js';
import { useEditing } from './editing.js';
import { Fault, Field, type FieldAttributes } from './field.js';
import { Finder, OFFERED, type Source } from './finder.js';
import { Picker } from './picker.js';
import { fieldOf, PROPERTIES, textOf } from './properties.js';

type Value = string | number;

/** What a property allows. */
interface Rules {
  readonly type: string;
  readonly multiple: boolean;
  readonly fixed: boolean;
  readonly description: string | null;
  readonly platforms: readonly string[];
  readonly allowed: ReadonlyArray<{ value: Value; description: string | null }>;
  readonly entities: ReadonlyArray<{ type: EntityType; name: string }>;
}

type Answer = NonNullable<NonNullable<PropertyRulesQuery['entities']>[number]>;

function rulesOf(property: Answer): Rules | undefined {
  if (!('definition' in property) || !property.definition) return undefined;
  const { valueType, cardinality, immutable, description, allowedPlatforms, allowedValues, typeQualifier } =
    property.definition;
  return {
    type: valueType.urn.split('.').at(-1) ?? '',
    multiple: cardinality === 'MULTIPLE',
    fixed: immutable,
    description,
    platforms: (allowedPlatforms ?? []).map(lastOf),
    allowed: (allowedValues ?? []).map(({ value, description: about }) => ({
      value: 'numberValue' in value ? value.numberValue : value.stringValue,
      description: about,
    })),
    entities: (typeQualifier?.allowedTypes ?? []).map(({ info }) => ({
      type: info.type,
      name: typeText(info.type),
    })),
  };
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'Text',
  rich_text: 'Text, in Markdown',
  number: 'A number',
  date: 'A day',
  urn: 'An entity',
};

/** What may be chosen, in words. */
function rulesText({ type, multiple, fixed, platforms, allowed, entities }: Rules): string {
  const kinds = entities.map(({ name }) => name).join(' or ');
  const what =
    allowed.length > 0
      ? multiple
        ? 'Any of these'
        : 'One of these'
      : kinds || (TYPES[type] ?? inWords(type));
  return [
    multiple && allowed.length === 0 ? `${what}, or several` : what,
    platforms.length > 0 && `on ${platforms.join(', ')} only`,
    fixed && 'cannot be changed once it is set',
  ]
    .filter(Boolean)
    .join('; ');
}

/** Properties that entities of a type can have. */
const propertiesOf = (entityType: string): Source => ({
  key: ['properties', entityType],
  browses: true,
  find: async (query, signal) => {
    const input = {
      query: query === '' ? '*' : query,
      types: ['STRUCTURED_PROPERTY' as const],
      count: OFFERED * 2,
      orFilters: [
        { and: [{ field: 'entityTypes', condition: 'END_WITH' as const, values: [`.${entityType}`] }] },
      ],
      searchFlags: { skipAggregates: true, skipHighlighting: true },
    };
    const { searchAcrossEntities } = await ask(FindPropertiesDocument, { input }, { signal });
    return (searchAcrossEntities?.searchResults ?? []).map(({ entity }) => entity);
  },
});

/** Values of structured properties, each by the rules of its property. */
export function PropertiesForm(props: FormProps<readonly Assigned[]>) {
  const { draft, change, nameOf, learn, faults } = props;
  const { target, aspects } = useEditing();
  const stored = PROPERTIES.read(aspects, target.urn);
  const urns = draft.map(({ urn }) => urn);
  const { data, error } = useQuery({
    queryKey: ['property-rules', urns],
    queryFn: ({ signal }) => ask(PropertyRulesDocument, { urns }, { signal }),
    enabled: urns.length > 0,
    placeholderData: (before) => before,
  });
  const rules = new Map((data?.entities ?? []).flatMap((one) => (one ? [[one.urn, rulesOf(one)]] : [])));
  return (
    <>
      {draft.map(({ urn, values }, index) => {
        const own = rules.get(urn);
        const name = nameOf(urn);
        const fixed = own?.fixed === true && stored.some((one) => one.urn === urn);
        const put = (next: readonly Value[]) => change(draft.with(index, { urn, values: next }));
        return (
          <fieldset key={urn} className="property">
            <legend>{name}</legend>
            {!fixed && (
              <button
                type="button"
                className="small"
                aria-label={`Take out ${name}`}
                onClick={() => change(draft.toSpliced(index, 1))}
              >
                ×
              </button>
            )}
            {own && <p className="quiet">{[own.description, rulesText(own)].filter(Boolean).join(' — ')}</p>}
            {own &&
              (fixed ? (
                <p>{textOf(values, nameOf)}</p>
              ) : (
                <ValuesField
                  name={name}
                  rules={own}
                  values={values}
                  put={put}
                  faultOf={(value) => faults.get(fieldOf(urn, value))?.replaceAll(urn, name)}
                  nameOf={nameOf}
                  learn={learn}
                />
              ))}
            <Fault text={faults.get(fieldOf(urn))?.replaceAll(urn, name)} />
          </fieldset>
        );
      })}
      {error && <Fault text={error.message} />}
      <h3>Add a property</h3>
      <Finder
        label="Find properties"
        source={propertiesOf(target.urn.split(':')[2] ?? '')}
        excluded={urns}
        onFound={(urn, name) => {
          learn(urn, name);
          change([...draft, { urn, values: [] }]);
        }}
      />
    </>
  );
}

interface ValuesProps extends Pick<FormProps<unknown>, 'nameOf' | 'learn'> {
  readonly name: string;
  readonly rules: Rules;
  readonly values: readonly Value[];
  readonly put: (values: readonly Value[]) => void;
  readonly faultOf: (value: Value) => string | undefined;
}

function ValuesField({ name, rules, values, put, faultOf, nameOf, learn }: ValuesProps) {
  const { type, multiple, allowed, entities } = rules;
  if (allowed.length > 0) return <Choice name={name} rules={rules} values={values} put={put} />;
  if (type === 'urn') {
    return (
      <>
        <Picker
          label={name}
          types={entities.map((one) => one.type)}
          single={!multiple}
          draft={values.map(String)}
          change={put}
          nameOf={nameOf}
          learn={learn}
        />
        {values.map((value) => (
          <Fault key={value} text={faultOf(value)} />
        ))}
      </>
    );
  }
  // A place for one value at least.
  const places = values.length === 0 ? [''] : values;
  return (
    <>
      {places.map((value, index) => (
        <Field
          key={index}
          label={places.length > 1 ? `${name}, value ${index + 1}` : name}
          quiet
          fault={value === '' ? undefined : faultOf(value)}
        >
          {(attributes) => (
            <ValueInput
              type={type}
              value={value}
              put={(next) => put(places.with(index, next))}
              attributes={attributes}
            />
          )}
        </Field>
      ))}
      {multiple && places.at(-1) !== '' && (
        <button type="button" className="more" onClick={() => put([...places, ''])}>
          Add a value
        </button>
      )}
    </>
  );
}

function Choice({
  name,
  rules: { allowed, multiple },
  values,
  put,
}: Pick<ValuesProps, 'name' | 'rules' | 'values' | 'put'>) {
  const group = useId();
  const offered = [
    ...allowed,
    // A value of old that is allowed no more stays until another is chosen.
    ...values
      .filter((value) => !allowed.some((one) => one.value === value))
      .map((value) => ({ value, description: null })),
  ];
  return (
    <div role={multiple ? 'group' : 'radiogroup'} aria-label={name} className="choices">
      {offered.map(({ value, description }) => (
        <label key={value} className="check">
          <input
            type={multiple ? 'checkbox' : 'radio'}
            name={group}
            checked={values.includes(value)}
            onChange={({ target: { checked } }) => {
              const others = multiple ? values.filter((one) => one !== value) : [];
              put(checked ? [...others, value] : others);
            }}
          />
          <span>
            {value} {description && <span className="quiet">{description}</span>}
          </span>
        </label>
      ))}
    </div>
  );
}

interface InputProps {
  readonly type: string;
  readonly value: Value;
  readonly put: (value: Value) => void;
  readonly attributes: FieldAttributes;
}

function ValueInput({ type, value, put, attributes }: InputProps) {
  // What is typed of a number is not one at each moment.
  const [typed, setTyped] = useState(String(value));
  if (type === 'number') {
    return (
      <input
        {...attributes}
        inputMode="decimal"
        value={typed}
        onChange={({ target: { value: text } }) => {
          setTyped(text);
          const number = Number(text);
          put(text.trim() === '' ? '' : Number.isFinite(number) ? number : text);
        }}
      />
    );
  }
  const Control = type === 'rich_text' ? 'textarea' : 'input';
  return (
    <Control
      {...attributes}
      {...(type === 'date' && { type: 'date' })}
      value={value}
      onChange={({ target }: { target: { value: string } }) => put(target.value)}
    />
  );
}
