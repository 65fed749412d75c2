import { Field, InputType, registerEnumType } from '@nestjs/graphql';
import { enumOf } from '../graphql/index.js';

@InputType('CreateSecretInput', { description: 'A new secret.' })
export class CreateSecretInput {
  @Field(() => String, { description: 'Its name, the last part of its URN; recipes name it.' }) name!: string;
  @Field(() => String, { description: 'What it is to keep. No response shows it.' }) value!: string;
  @Field(() => String, { nullable: true, description: 'What it is for.' }) description?: string | null;
}

@InputType('UpdateSecretInput', { description: 'What a secret is to keep from now on.' })
export class UpdateSecretInput extends CreateSecretInput {
  @Field(() => String, { description: 'Its URN.' }) urn!: string;
}

const DataHubConnectionDetailsType = enumOf(['JSON']);
registerEnumType(DataHubConnectionDetailsType, {
  name: 'DataHubConnectionDetailsType',
  description: 'How the details of a connection are written.',
});

@InputType('DataHubJsonConnectionInput', { description: 'Details of a connection.' })
export class DataHubJsonConnectionInput {
  @Field(() => String, {
    description: 'JSON text, such as an address and what opens it. It is kept encrypted.',
  })
  blob!: string;
}

@InputType('UpsertDataHubConnectionInput', { description: 'A connection to another system.' })
export class UpsertDataHubConnectionInput {
  @Field(() => String, { nullable: true, description: 'The last part of its URN; a UUID when absent.' })
  id?: string | null;
  @Field(() => DataHubConnectionDetailsType, { description: 'How its details are written.' }) type!: 'JSON';
  @Field(() => String, { nullable: true, description: 'What it is called.' }) name?: string | null;
  @Field(() => String, { description: 'URN of the platform of the other system.' }) platformUrn!: string;
  @Field(() => DataHubJsonConnectionInput, {
    nullable: true,
    description: 'Its details; they must be there.',
  })
  json?: DataHubJsonConnectionInput | null;
}
