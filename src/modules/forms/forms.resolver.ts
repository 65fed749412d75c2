import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { RequestContext, Searches } from '../graphql/index.js';
import { readFilter } from '../search/graphql.js';
import { BatchAssignFormInput, CreateDynamicFormAssignmentInput } from './forms.inputs.js';
import { FormsService } from './forms.service.js';

/** Which forms are put to which entities. */
@Resolver()
export class FormsResolver {
  constructor(private readonly forms: FormsService) {}

  @Mutation(() => Boolean, {
    nullable: true,
    description:
      'Puts a form to several entities, all or none. Questions for values that an entity has are answered from the start.',
  })
  async batchAssignForm(
    @Context() { principal }: RequestContext,
    @Args('input') { formUrn, entityUrns }: BatchAssignFormInput,
  ): Promise<boolean> {
    await this.forms.assign(principal, formUrn, entityUrns, (i) => `/entityUrns/${i}`);
    return true;
  }

  @Searches('list')
  @Mutation(() => Boolean, {
    nullable: true,
    description:
      'Keeps the filter of a form, and puts the form to what it finds now, at most 10,000 entities. What comes later is not looked at: call it again.',
  })
  async createDynamicFormAssignment(
    @Context() { principal, signal }: RequestContext,
    @Args('input') { formUrn, orFilters }: CreateDynamicFormAssignmentInput,
  ): Promise<boolean> {
    const kept = orFilters.map(({ and }) => ({
      and: (and ?? []).map(({ field, values, value, condition, negated }) => ({
        field,
        values: values ?? (typeof value === 'string' ? [value] : []),
        condition: condition ?? 'EQUAL',
        negated: negated ?? false,
      })),
    }));
    await this.forms.assignByFilter(principal, formUrn, { kept, filter: readFilter(orFilters), signal });
    return true;
  }
}
