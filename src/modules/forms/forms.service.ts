import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { AuditStamp } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import type { FormInfo, Forms, StructuredProperties } from '../../catalog/model/generated/aspects.js';
import { Model } from '../../catalog/model/index.js';
import { MAX_WINDOW, type SearchFilter } from '../../catalog/search/index.js';
import { EditService, refuseEmpty, type AspectEdit, type Mention } from '../ingest/index.js';
import { DEFAULT_FLAGS, GRAPHQL_POINTERS, SearchService } from '../search/index.js';

const FORM = 'form';
/** The aspect that says which forms an entity has. */
export const FORMS = 'forms';
const VALUES = 'structuredProperties';
/** Entities that one transaction writes to. */
const PORTION = 500;

/** Which entities a form is put to: as it is kept, and as it is searched by. */
interface Finds {
  readonly kept: ReadonlyArray<{ readonly and: readonly object[] }>;
  readonly filter: SearchFilter;
  readonly signal?: AbortSignal | undefined;
}

/** Puts forms to entities. */
@Injectable()
export class FormsService {
  constructor(
    private readonly model: Model,
    private readonly edits: EditService,
    private readonly search: SearchService,
  ) {}

  /**
   * Puts a form to entities; all or none. Those that have it keep it as it is.
   * @param at where an entity stands in the request
   * @throws CatalogError ENTITY_NOT_FOUND, PARAMETER_INVALID, ASPECT_UNKNOWN for what cannot have forms
   */
  async assign(
    principal: Principal,
    form: string,
    urns: readonly string[],
    at: (i: number) => string,
  ): Promise<void> {
    refuseEmpty(urns, '/entityUrns');
    const mentions = [formAt(form)];
    await this.edits.submit(
      principal,
      [...new Set(urns)].map((urn): AspectEdit => ({
        ...{ urn, at: at(urns.indexOf(urn)), aspect: FORMS, what: 'forms', mentions, looksAt: [VALUES] },
        apply: async (current, context) => {
          const forms = current as unknown as Forms | undefined;
          const known = [...(forms?.incompleteForms ?? []), ...(forms?.completedForms ?? [])];
          if (known.some((one) => one.urn === form)) return undefined;
          const info = (await context.aspectOf(form, 'formInfo')) as FormInfo | undefined;
          const values = (await context.aspectOf(urn, VALUES)) as StructuredProperties | undefined;
          return { ...withForm(forms, form, info, values, context.stamp) };
        },
      })),
    );
  }

  /**
   * Keeps the filter of a form, and puts the form to what it finds.
   * @throws CatalogError ENTITY_NOT_FOUND, FILTER_INVALID; PARAMETER_INVALID when it finds everything, or more than a search reaches
   */
  async assignByFilter(principal: Principal, form: string, { kept, filter, signal }: Finds): Promise<void> {
    if (filter.length === 0 || filter.some((clause) => clause.length === 0))
      throw refuse('FILTER_INVALID', 'a form needs conditions that say what it is put to', '/orFilters');
    const found = await this.found(principal, filter, signal);
    await this.edits.submit(principal, [
      {
        ...{ urn: form, at: '/formUrn', aspect: 'dynamicFormAssignment', what: 'filter of a form' },
        mentions: [formAt(form)],
        apply: () => ({ filter: { or: kept } }),
      },
    ]);
    for (let i = 0; i < found.length; i += PORTION)
      await this.assign(principal, form, found.slice(i, i + PORTION), () => '/orFilters');
  }

  /** URNs of all entities that can have forms and that a filter finds. */
  private async found(
    principal: Principal,
    filter: SearchFilter,
    signal: AbortSignal | undefined,
  ): Promise<string[]> {
    const entities = [...this.model.entities.values()]
      .filter(({ aspects }) => aspects.has(FORMS))
      .map(({ name }) => name);
    const asked = {
      ...{ entities, entitiesPointer: '', at: GRAPHQL_POINTERS, input: '*', filter, sort: [] },
      ...(signal && { signal }),
      includeSoftDeleted: false,
      flags: { ...DEFAULT_FLAGS, skipAggregates: true, skipHighlighting: true },
      count: PORTION,
    };
    const urns: string[] = [];
    for (let scrollId: string | undefined; ;) {
      const page = await this.search.scroll(principal, {
        ...asked,
        ...(scrollId !== undefined && { scrollId }),
      });
      if (page.total > MAX_WINDOW)
        throw refuse(
          'PARAMETER_INVALID',
          `the filter finds ${page.total} entities; a form is put to at most ${MAX_WINDOW} at once`,
          '/orFilters',
        );
      urns.push(...page.hits.map(({ urn }) => urn));
      scrollId = page.next;
      if (scrollId === undefined) return urns;
    }
  }
}

const formAt = (urn: string): Mention => ({ urn, at: '/formUrn', types: [FORM] });

/** Forms with one more. It is complete when it asks for nothing but values that are there. */
function withForm(
  forms: Forms | undefined,
  urn: string,
  info: FormInfo | undefined,
  values: StructuredProperties | undefined,
  lastModified: AuditStamp,
): Forms {
  const answered = new Set(values?.properties.map(({ propertyUrn }) => propertyUrn));
  const prompts = info?.prompts ?? [];
  const open = prompts.filter(
    ({ type, structuredPropertyParams }) =>
      type !== 'STRUCTURED_PROPERTY' || !answered.has(structuredPropertyParams?.urn ?? ''),
  );
  const association = {
    urn,
    incompletePrompts: open.map(({ id }) => ({ id, lastModified })),
    completedPrompts: prompts.filter((one) => !open.includes(one)).map(({ id }) => ({ id, lastModified })),
  };
  const complete = prompts.length > 0 && open.length === 0;
  const { incompleteForms = [], completedForms = [], verifications = [] } = forms ?? {};
  return {
    verifications,
    incompleteForms: complete ? incompleteForms : [...incompleteForms, association],
    completedForms: complete ? [...completedForms, association] : completedForms,
  };
}
