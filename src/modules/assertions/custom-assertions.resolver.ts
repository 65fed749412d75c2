import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { refuse } from '../../catalog/errors/index.js';
import { given } from '../../catalog/json/given.js';
import { Entity, entriesToMap, RequestContext } from '../graphql/index.js';
import { Assertion } from './assertion.types.js';
import { AssertionResultInput, UpsertCustomAssertionInput, type PlatformInput } from './assertions.inputs.js';
import { AssertionsService } from './assertions.service.js';

/** Checks that other tools make and report. */
@Resolver()
export class CustomAssertionsResolver {
  constructor(private readonly assertions: AssertionsService) {}

  @Mutation(() => Assertion, {
    description: 'Makes a check of a dataset that another tool carries out, or writes it anew.',
  })
  async upsertCustomAssertion(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String, nullable: true, description: 'Its URN; a new one when absent.' })
    urn: string | null,
    @Args('input', { type: () => UpsertCustomAssertionInput }) input: UpsertCustomAssertionInput,
  ): Promise<Entity> {
    const { entityUrn, description, externalUrl, fieldPath, fieldPaths } = input;
    const { type, logic, scope, aggregation, operator, parameters, nativeType, nativeParameters } = input;
    const made = await this.assertions.upsert(context.principal, urn ?? undefined, {
      entityUrn,
      description,
      platform: platformOf(input.platform),
      ...(typeof externalUrl === 'string' && { externalUrl }),
      columns: fieldPaths ?? (typeof fieldPath === 'string' ? [fieldPath] : []),
      details: given({
        type,
        logic,
        scope,
        aggregation,
        operator,
        parameters: parameters && given({ ...parameters }),
        nativeType,
        nativeParameters: nativeParameters && entriesToMap(nativeParameters),
      }),
    });
    context.refresh();
    return context.entity(made);
  }

  @Mutation(() => Boolean, { description: 'Notes how a check ended.' })
  async reportAssertionResult(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String, description: 'URN of the assertion.' }) urn: string,
    @Args('result', { type: () => AssertionResultInput, description: 'How it ended.' })
    result: AssertionResultInput,
  ): Promise<boolean> {
    const { timestampMillis, type, properties, externalUrl, error, severity } = result;
    await this.assertions.report(context.principal, urn, {
      time: timestampMillis ?? Date.now(),
      result: given({
        type,
        externalUrl,
        severity,
        nativeResults: properties && entriesToMap(properties),
        error: error && { type: error.type, properties: { message: error.message } },
      }),
    });
    return true;
  }
}

function platformOf({ urn, name }: PlatformInput): string {
  if (typeof urn === 'string' && urn !== '') return urn;
  if (typeof name === 'string' && name !== '') return `urn:li:dataPlatform:${name}`;
  throw refuse('PARAMETER_INVALID', 'a platform has a URN or a name', '/platform');
}
