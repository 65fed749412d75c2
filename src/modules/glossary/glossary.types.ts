import { Field, Int, ObjectType } from '@nestjs/graphql';
import {
  ancestors,
  ResolvedAuditStamp,
  Asset,
  CustomPropertiesEntry,
  customProperties,
  keyParts,
  showsPartOf,
  type Stored,
  Entity,
  EntityObject,
  type EntityContext,
  optional,
  typeNamed,
} from '../graphql/index.js';

@ObjectType('GlossaryTermProperties', { description: 'Name, definition and source of a glossary term.' })
export class GlossaryTermProperties {
  @Field(() => String) name!: string;
  @Field(() => String, { nullable: true, description: 'The definition.' }) description!: string | null;
  @Field(() => String) definition!: string;
  @Field(() => String, { description: 'INTERNAL or EXTERNAL.' }) termSource!: string;
  @Field(() => String, optional) sourceRef!: string | null;
  @Field(() => String, optional) sourceUrl!: string | null;
  @Field(() => [CustomPropertiesEntry], optional) customProperties!: CustomPropertiesEntry[];
  @Field(() => String, { nullable: true, deprecationReason: 'Not used any more.' }) rawSchema!: string | null;
  @Field(() => ResolvedAuditStamp, {
    nullable: true,
    description: 'Always null: the model does not say when.',
  })
  createdOn!: null;
}

@ObjectType('ParentNodesResult', { description: 'The folders above a term or folder.' })
export class ParentNodesResult {
  @Field(() => Int, { description: 'How many.' }) count!: number;
  @Field(() => [typeNamed('GlossaryNode')], { description: 'The nearest one first.' })
  nodes!: Entity[];
}

/** A term names its folder in one aspect, a folder in another. */
function parentNodes(from: Entity, context: EntityContext): ParentNodesResult {
  const nodes = ancestors(from, (entity) => {
    const aspect = entity.entityName === 'glossaryNode' ? 'glossaryNodeInfo' : 'glossaryTermInfo';
    const value = entity.latest(aspect) as { parentNode?: string } | undefined;
    return context.entity(value?.parentNode);
  });
  return { count: nodes.length, nodes };
}

/** The older name of the properties of a term. */
@ObjectType('GlossaryTermInfo', { description: 'Name, definition and source of a glossary term.' })
export class GlossaryTermInfo extends GlossaryTermProperties {}

@EntityObject('glossaryTerm', 'A term of the business glossary.')
export class GlossaryTerm extends Asset {
  @Field(() => String, { description: 'What it is called; otherwise its id.' })
  name(): string {
    return this.value('glossaryTermInfo')?.name ?? this.id;
  }

  @Field(() => String, { description: 'The id, which may contain dots.' })
  get hierarchicalName(): string {
    return this.id;
  }

  @Field(() => GlossaryTermProperties, { nullable: true, description: 'Name, definition and source.' })
  properties(): GlossaryTermProperties | null {
    return this.info();
  }

  @Field(() => GlossaryTermInfo, { nullable: true, description: 'An older name of properties.' })
  glossaryTermInfo(): GlossaryTermInfo | null {
    return this.info();
  }

  @Field(() => typeNamed('GlossaryNode'), { nullable: true, description: 'The folder it lies in.' })
  parentNode(): Entity | null {
    return this.context.entity(this.value('glossaryTermInfo')?.parentNode) ?? null;
  }

  @Field(() => ParentNodesResult, { nullable: true, description: 'All folders above it.' })
  parentNodes(): ParentNodesResult {
    return parentNodes(this, this.context);
  }

  private get id(): string {
    return keyParts(this.urnText)[0] ?? '';
  }

  private info(): (GlossaryTermProperties & Stored) | null {
    const value = this.value('glossaryTermInfo');
    if (!value) return null;
    return {
      name: value.name ?? this.id,
      description: value.definition,
      definition: value.definition,
      termSource: value.termSource,
      sourceRef: value.sourceRef ?? null,
      sourceUrl: value.sourceUrl ?? null,
      customProperties: customProperties(value.customProperties, this.urnText),
      rawSchema: value.rawSchema ?? null,
      createdOn: null,
      stored: value,
    };
  }
}

@ObjectType('GlossaryNodeProperties', { description: 'Name and description of a glossary folder.' })
export class GlossaryNodeProperties {
  @Field(() => String) name!: string;
  @Field(() => String, optional) description!: string | null;
  @Field(() => [CustomPropertiesEntry], optional) customProperties!: CustomPropertiesEntry[];
  @Field(() => ResolvedAuditStamp, {
    nullable: true,
    description: 'Always null: the model does not say when.',
  })
  createdOn!: null;
}

@EntityObject('glossaryNode', 'A folder of the business glossary.')
export class GlossaryNode extends Asset {
  @Field(() => String, { nullable: true, description: 'What it is called; otherwise its id.' })
  name(): string | null {
    return this.value('glossaryNodeInfo')?.name ?? keyParts(this.urnText)[0] ?? null;
  }

  @Field(() => GlossaryNodeProperties, { nullable: true, description: 'Name and description.' })
  properties(): (GlossaryNodeProperties & Stored) | null {
    const value = this.value('glossaryNodeInfo');
    if (!value) return null;
    return {
      name: value.name ?? keyParts(this.urnText)[0] ?? '',
      description: value.definition,
      customProperties: customProperties(value.customProperties, this.urnText),
      createdOn: null,
      stored: value,
    };
  }

  @Field(() => typeNamed('GlossaryNode'), { nullable: true, description: 'The folder above it.' })
  parentNode(): Entity | null {
    return this.context.entity(this.value('glossaryNodeInfo')?.parentNode) ?? null;
  }

  @Field(() => ParentNodesResult, { nullable: true, description: 'All folders above it.' })
  parentNodes(): ParentNodesResult {
    return parentNodes(this, this.context);
  }
}

showsPartOf('GlossaryTermProperties', 'glossary.GlossaryTermInfo');
showsPartOf('GlossaryTermInfo', 'glossary.GlossaryTermInfo');
showsPartOf('GlossaryNodeProperties', 'glossary.GlossaryNodeInfo');
