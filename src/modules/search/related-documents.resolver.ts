import {
  Args,
  Context,
  Field,
  InputType,
  Int,
  ObjectType,
  Parent,
  registerEnumType,
  ResolveField,
  Resolver,
} from '@nestjs/graphql';
import {
  anyValueOf,
  Entity,
  enumOf,
  RequestContext,
  Searches,
  typeNamed,
  type FacetFilterInput,
} from '../graphql/index.js';
import { listEntities } from './lists.js';
import { SearchService } from './search.service.js';

const DocumentSourceType = enumOf(['NATIVE', 'EXTERNAL']);
type DocumentSourceType = keyof typeof DocumentSourceType;
registerEnumType(DocumentSourceType, {
  name: 'DocumentSourceType',
  description: 'Where a document comes from.',
  valuesMap: {
    NATIVE: { description: 'It was written in the catalog.' },
    EXTERNAL: { description: 'It lies in another system.' },
  },
});

@InputType('RelatedDocumentsInput', { description: 'Which documents about an entity are wanted.' })
class RelatedDocumentsInput {
  @Field(() => Int, { nullable: true, description: 'How many to leave out, default 0.' })
  start?: number | null;
  @Field(() => Int, { nullable: true, description: 'How many to list, at most 1000, default 20.' })
  count?: number | null;
  @Field(() => [String], { nullable: true, description: 'URNs of documents; only those below one of them.' })
  parentDocuments?: string[] | null;
  @Field(() => Boolean, { nullable: true, description: 'Only documents that lie below no other.' })
  rootOnly?: boolean | null;
  @Field(() => [String], { nullable: true, description: 'Only documents of these subtypes.' })
  types?: string[] | null;
  @Field(() => [String], { nullable: true, description: 'URNs of domains; only documents of one of them.' })
  domains?: string[] | null;
  @Field(() => DocumentSourceType, { nullable: true, description: 'Only documents from there.' })
  sourceType?: DocumentSourceType | null;
}

@ObjectType('RelatedDocumentsResult', { description: 'A page of documents about an entity.' })
class RelatedDocumentsResult {
  @Field(() => Int, { description: 'How many come before the page.' }) start!: number;
  @Field(() => Int, { description: 'How many the page has.' }) count!: number;
  @Field(() => Int, { description: 'How many there are.' }) total!: number;
  @Field(() => [typeNamed('Document')], { description: 'The documents.' }) documents!: Entity[];
}

/** Documents about any entity. */
@Resolver(() => Entity)
export class RelatedDocumentsResolver {
  constructor(private readonly search: SearchService) {}

  @Searches('list')
  @ResolveField(() => RelatedDocumentsResult, {
    nullable: true,
    description: 'Documents that name it among the assets they are about.',
  })
  async relatedDocuments(
    @Parent() entity: Entity,
    @Context() context: RequestContext,
    @Args('input', { type: () => RelatedDocumentsInput }) input: RelatedDocumentsInput,
  ): Promise<RelatedDocumentsResult> {
    const filters = conditions(entity.urn, input);
    const { urns, ...page } = await listEntities(this.search, context, 'document', { ...input, filters });
    return { ...page, documents: urns.map((urn) => context.entity(urn)) };
  }
}

function conditions(urn: string, input: RelatedDocumentsInput): FacetFilterInput[] {
  const { parentDocuments, rootOnly, types, domains, sourceType } = input;
  return [
    { field: 'relatedAssets', values: [urn] },
    ...anyValueOf('parentDocument', parentDocuments),
    ...(rootOnly ? [{ field: 'parentDocument', condition: 'IS_NULL' as const }] : []),
    ...anyValueOf('typeNames', types),
    ...anyValueOf('domains', domains),
    ...anyValueOf('sourceType', sourceType ? [sourceType] : null),
  ];
}
