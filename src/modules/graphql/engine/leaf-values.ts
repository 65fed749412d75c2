import {
  getNamedType,
  getNullableType,
  GraphQLBoolean,
  GraphQLString,
  isCompositeType,
  isEnumType,
  isListType,
  isSpecifiedScalarType,
  Kind,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLLeafType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { fieldOf, fragmentsOf, operationOf } from './operations.js';

/**
 * Puts the values of an answer into the form that clients see.
 * @returns false when one has no such form: the answer may be half done then
 */
export type LeafPass = (data: object) => boolean;

/** A selection, and the type that it is made on. */
type Part = readonly [set: SelectionSetNode, type: GraphQLNamedType];

interface Selected {
  /** Where several types have a field of that name, validation lets them differ by nothing that matters here. */
  readonly type: GraphQLOutputType;
  readonly below: Part[];
}

/**
 * Checks the values of an operation in one pass over its answer. Compiled queries would check each where it is read, and make its path
 * and its place in the document for it every time: that was half of what a page allocates.
 */
export function leafPass(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): LeafPass | undefined {
  const operation = operationOf(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  return root ? new LeafProgram(schema, document).pass([operation.selectionSet, root]) : undefined;
}

class LeafProgram {
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  private readonly functions: string[] = [];
  private readonly forms: Array<(value: unknown) => unknown> = [];
  private readonly formsOf = new Map<GraphQLLeafType, number>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
  ) {
    this.fragments = fragmentsOf(document);
  }

  pass(operation: Part): LeafPass {
    const start = this.object([operation]);
    if (start === undefined) return () => true;
    const source = `"use strict";${this.functions.join('\n')}\nreturn ${start};`;
    // Made of names in the schema and the document, which are letters and digits.
    // eslint-disable-next-line @typescript-eslint/no-implied-eval
    const make = new Function('forms', source) as (forms: unknown) => (data: object) => void;
    const check = make(this.forms);
    return (data) => {
      try {
        check(data);
        return true;
      } catch {
        return false;
      }
    };
  }

  /** The name of the function for the objects of a selection; undefined when nothing in them is to be looked at. */
  private object(parts: readonly Part[]): string | undefined {
    const fields = new Map<string, Selected>();
    const seen = new Set<string>();
    for (const part of parts) this.collect(part, fields, seen);
    let body = '';
    for (const [key, { type, below }] of fields) {
      const done = this.value(type, below, 'v', (value) => `o.${key} = ${value};`);
      if (done !== '') body += `v = o.${key}; ${done}\n`;
    }
    if (body === '') return undefined;
    const name = `f${this.functions.length}`;
    this.functions.push(`function ${name}(o) { let v;\n${body}}`);
    return name;
  }

  /** What is done with a value that may be absent, in a variable. @param put writes statements that put another in its place */
  private value(
    type: GraphQLOutputType,
    below: readonly Part[],
    at: string,
    put: (value: string) => string,
  ): string {
    const shown = getNullableType(type);
    if (isListType(shown)) {
      const [list, index, member] = [`${at}l`, `${at}i`, `${at}m`];
      const each = this.value(shown.ofType, below, member, (value) => `${list}[${index}] = ${value};`);
      if (each === '') return '';
      const loop = `for (let ${index} = 0; ${index} < ${list}.length; ${index}++) { const ${member} = ${list}[${index}]; ${each} }`;
      return `if (${at} != null) { const ${list} = ${at}; ${loop} }`;
    }
    if (isCompositeType(shown)) {
      const inner = this.object(below);
      return inner === undefined ? '' : `if (${at} != null) ${inner}(${at});`;
    }
    const leaf = shown;
    // Compiled queries check all other scalars themselves.
    if (!isEnumType(leaf) && !isSpecifiedScalarType(leaf)) return '';
    const usual =
      leaf === GraphQLString
        ? `typeof ${at} !== "string" && `
        : leaf === GraphQLBoolean
          ? `typeof ${at} !== "boolean" && `
          : '';
    return `if (${usual}${at} != null) { ${put(`forms[${this.form(leaf)}](${at})`)} }`;
  }

  private form(type: GraphQLLeafType): number {
    let at = this.formsOf.get(type);
    if (at === undefined) {
      at = this.forms.push(formOf(type)) - 1;
      this.formsOf.set(type, at);
    }
    return at;
  }

  /** @param seen names of fragments, which are written out once for a selection */
  private collect([set, type]: Part, fields: Map<string, Selected>, seen: Set<string>): void {
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        const field = fieldOf(this.schema, type, node.name.value);
        // The name of the type is a text already.
        if (!field) continue;
        const key = node.alias?.value ?? node.name.value;
        let selected = fields.get(key);
        if (!selected) fields.set(key, (selected = { type: field.type, below: [] }));
        if (node.selectionSet) selected.below.push([node.selectionSet, getNamedType(field.type)]);
        continue;
      }
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        if (seen.has(node.name.value)) continue;
        seen.add(node.name.value);
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : this.fragments.get(node.name.value);
      const condition = fragment?.typeCondition && this.schema.getType(fragment.typeCondition.name.value);
      if (fragment) this.collect([fragment.selectionSet, condition ?? type], fields, seen);
    }
  }
}

/** The form of a value, as the type has it. @throws when there is none */
function formOf(type: GraphQLLeafType): (value: unknown) => unknown {
  return (value) => {
    const form: unknown = type.serialize(value);
    if (form === undefined || Number.isNaN(form)) throw new TypeError(`a value is no ${type.name}`);
    return form;
  };
}
