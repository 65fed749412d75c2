import { Args, Context, Field, Mutation, ObjectType, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type * as model from '../../catalog/model/generated/aspects.js';
import {
  type Entity,
  EntityObject,
  NarrowEntity,
  Needs,
  RequestContext,
  showsPartOf,
  showsRecord,
  type Stored,
} from '../graphql/index.js';
import { CreateSecretInput, UpdateSecretInput, UpsertDataHubConnectionInput } from './secrets.inputs.js';
import { SecretsService } from './secrets.service.js';

@EntityObject(
  'dataHubConnection',
  'Encrypted details of a connection to an outside system.',
  'DataHubConnection',
)
class DataHubConnection extends NarrowEntity {}

/** The model adds what is stored. */
@ObjectType('DataHubJsonConnection', { description: 'The details of a connection.' })
class DataHubJsonConnection implements Stored {
  @Field(() => String, {
    description: 'JSON text; what the service keeps encrypted is shown to administrators only.',
  })
  blob!: string;
  stored?: model.DataHubJsonConnection;
  owner?: string;
}

showsRecord(
  'connection.DataHubJsonConnection',
  'DataHubJsonConnection',
  (stored: model.DataHubJsonConnection, _context, owner): Stored => ({ stored, owner }),
  DataHubJsonConnection,
);
showsPartOf('DataHubJsonConnection', 'connection.DataHubJsonConnection', true);

/** Secrets and connections, which the service keeps encrypted. */
@Resolver(() => DataHubJsonConnection)
export class SecretsResolver {
  constructor(private readonly secrets: SecretsService) {}

  @ResolveField(() => String)
  blob(
    @Parent() { stored, owner }: DataHubJsonConnection,
    @Context() { principal }: RequestContext,
  ): Promise<string> {
    return this.secrets.detailsOf(principal, owner!, stored!.encryptedBlob);
  }

  @Needs('manage')
  @Mutation(() => String, {
    nullable: true,
    description: 'Keeps a secret encrypted, whose value no response shows. Answers its URN.',
  })
  createSecret(
    @Context() { principal }: RequestContext,
    @Args('input') { name, value, description }: CreateSecretInput,
  ): Promise<string> {
    return this.secrets.create(principal, { name, value, description: description ?? undefined });
  }

  @Needs('manage')
  @Mutation(() => String, {
    nullable: true,
    description: 'Replaces name and value of a secret. Answers its URN.',
  })
  async updateSecret(
    @Context() { principal }: RequestContext,
    @Args('input') { urn, name, value, description }: UpdateSecretInput,
  ): Promise<string> {
    await this.secrets.update(principal, urn, { name, value, description: description ?? undefined });
    return urn;
  }

  @Needs('manage')
  @Mutation(() => DataHubConnection, {
    description: 'Makes a connection to another system, or replaces it. Its details are kept encrypted.',
  })
  async upsertConnection(
    @Context() context: RequestContext,
    @Args('input') { id, name, platformUrn, json }: UpsertDataHubConnectionInput,
  ): Promise<Entity> {
    const urn = await this.secrets.connect(context.principal, {
      id: id ?? undefined,
      name: name ?? undefined,
      platform: platformUrn,
      blob: json?.blob,
    });
    context.refresh();
    return context.entity(urn);
  }
}
