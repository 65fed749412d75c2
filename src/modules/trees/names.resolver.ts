import { Args, Context, Field, InputType, Mutation, Resolver } from '@nestjs/graphql';
import { RequestContext } from '../graphql/index.js';
import { NamesService } from './names.service.js';

@InputType('UpdateNameInput', { description: 'A new name.' })
class UpdateNameInput {
  @Field(() => String, { description: 'The new name.' })
  name!: string;

  @Field(() => String, {
    description: 'URN of a glossary term or folder, domain, tag, group or data product.',
  })
  urn!: string;
}

/** New names for what people name. */
@Resolver()
export class NamesResolver {
  constructor(private readonly names: NamesService) {}

  @Mutation(() => Boolean, {
    nullable: true,
    description:
      'Renames a glossary term or folder, domain, tag, group, data product, application or dataset.',
  })
  async updateName(
    @Context() { principal }: RequestContext,
    @Args('input') { urn, name }: UpdateNameInput,
  ): Promise<boolean> {
    await this.names.rename(principal, { urn, at: '/urn' }, name);
    return true;
  }
}
