import { Args, Context, Field, InputType, Mutation, registerEnumType, Resolver } from '@nestjs/graphql';
import { enumOf, RequestContext } from '../graphql/index.js';
import { DisplayPropertiesService } from './display-properties.service.js';

const IconLibrary = enumOf(['MATERIAL', 'PHOSPHOR']);
registerEnumType(IconLibrary, {
  name: 'IconLibrary',
  description: 'Libraries of icons.',
  valuesMap: { MATERIAL: { description: 'Material.' }, PHOSPHOR: { description: 'Phosphor.' } },
});

@InputType('IconPropertiesInput', { description: 'An icon; parts that are absent stay as they are.' })
class IconPropertiesInput {
  @Field(() => IconLibrary, { nullable: true, description: 'The library that has it.' })
  iconLibrary?: keyof typeof IconLibrary | null;
  @Field(() => String, { nullable: true, description: 'Its name in the library.' }) name?: string | null;
  @Field(() => String, { nullable: true, description: 'Its variant in the library, such as filled.' })
  style?: string | null;
}

@InputType('DisplayPropertiesUpdateInput', {
  description: 'How something is shown; parts that are absent stay as they are.',
})
class DisplayPropertiesUpdateInput {
  @Field(() => String, { nullable: true, description: 'Its colour, such as #00a3d9.' })
  colorHex?: string | null;
  @Field(() => IconPropertiesInput, { nullable: true, description: 'Its icon.' })
  icon?: IconPropertiesInput | null;
}

/** Colours and icons. */
@Resolver()
export class DisplayPropertiesResolver {
  constructor(private readonly display: DisplayPropertiesService) {}

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Says with which colour and icon a domain, glossary term or folder is shown.',
  })
  async updateDisplayProperties(
    @Context() { principal }: RequestContext,
    @Args('urn', { type: () => String, description: 'URN of the entity.' }) urn: string,
    @Args('input') { colorHex, icon }: DisplayPropertiesUpdateInput,
  ): Promise<boolean> {
    await this.display.update(principal, urn, {
      colorHex: colorHex ?? undefined,
      icon: icon ? { ...icon } : undefined,
    });
    return true;
  }
}
