import { Field, InputType, ObjectType } from '@nestjs/graphql';

@InputType('StringMapEntryInput', { description: 'One entry of a map.' })
export class StringMapEntryInput {
  @Field(() => String, { description: 'Its key.' }) key!: string;
  @Field(() => String, { nullable: true, description: 'Its value; the empty text when absent.' })
  value?: string | null;
}

@ObjectType('StringMapEntry', { description: 'One entry of a map.' })
export class StringMapEntry {
  @Field(() => String, { description: 'Its key.' }) key!: string;
  @Field(() => String, { nullable: true, description: 'Its value.' }) value!: string | null;
}

/** The map that a list of entries stands for; of two with one key the later counts. */
export function entriesToMap(entries: readonly StringMapEntryInput[]): Record<string, string> {
  return Object.fromEntries(entries.map(({ key, value }) => [key, value ?? '']));
}
