import { Field, ObjectType } from '@nestjs/graphql';
import { Asset, keyParts, EntityObject, optional } from '../graphql/index.js';

@ObjectType('TagProperties', { description: 'Name, description and colour of a tag.' })
export class TagProperties {
  @Field(() => String, optional) name!: string | null;
  @Field(() => String, optional) description!: string | null;
  @Field(() => String, { nullable: true, description: 'A hexadecimal code.' }) colorHex!: string | null;
}

@EntityObject('tag', 'A label that can be put on entities and columns.')
export class Tag extends Asset {
  @Field(() => String, { nullable: true, description: 'What it is called; otherwise the name in its URN.' })
  name(): string | null {
    return this.value('tagProperties')?.name ?? keyParts(this.urnText)[0] ?? null;
  }

  @Field(() => TagProperties, { nullable: true, description: 'Name, description and colour.' })
  properties(): TagProperties | null {
    const value = this.value('tagProperties');
    if (!value) return null;
    return { name: value.name, description: value.description ?? null, colorHex: value.colorHex ?? null };
  }

  @Field(() => String, { nullable: true, deprecationReason: 'Use properties.description.' })
  description(): string | null {
    return this.value('tagProperties')?.description ?? null;
  }
}
