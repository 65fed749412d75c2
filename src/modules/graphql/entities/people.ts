import type { Type } from '@nestjs/common';
import { createUnionType, Field, ObjectType } from '@nestjs/graphql';
import { Asset } from '../types/asset.js';
import { keyParts } from '../types/common.js';
import { showsPartOf, type Stored } from '../model-types/record-views.js';
import { Entity, EntityObject, optional, typeNamed } from '../types/entity.js';

@ObjectType('CorpUserProperties', { description: 'What is known about a user.' })
export class CorpUserProperties {
  @Field(() => Boolean) active!: boolean;
  @Field(() => String, optional) displayName!: string | null;
  @Field(() => String, optional) email!: string | null;
  @Field(() => String, optional) title!: string | null;
  @Field(() => String, optional) fullName!: string | null;
  @Field(() => String, optional) firstName!: string | null;
  @Field(() => String, optional) lastName!: string | null;
  @Field(() => String, optional) departmentName!: string | null;
  @Field(() => String, optional) countryCode!: string | null;
  @Field(() => typeNamed('CorpUser'), optional) manager!: Entity | null;
}

@ObjectType('CorpUserInfo', { description: 'What is known about a user.' })
export class CorpUserInfo extends CorpUserProperties {}

@ObjectType('CorpUserEditableProperties', { description: 'What users say about themselves.' })
export class CorpUserEditableProperties {
  @Field(() => String, optional) displayName!: string | null;
  @Field(() => String, optional) title!: string | null;
  @Field(() => String, optional) aboutMe!: string | null;
  @Field(() => [String], optional) teams!: string[];
  @Field(() => [String], optional) skills!: string[];
  @Field(() => String, optional) pictureLink!: string | null;
  @Field(() => String, optional) slack!: string | null;
  @Field(() => String, optional) phone!: string | null;
  @Field(() => String, optional) email!: string | null;
}

@EntityObject('corpuser', 'A person, or an account that acts for one.', 'CorpUser')
export class CorpUser extends Asset {
  @Field(() => String, { description: 'The name in the URN.' })
  get username(): string {
    return keyParts(this.urnText)[0] ?? '';
  }

  @Field(() => CorpUserProperties, { nullable: true, description: 'What is known about the user.' })
  properties(): (CorpUserProperties & Stored) | null {
    const value = this.value('corpUserInfo');
    if (!value) return null;
    return {
      active: value.active,
      displayName: value.displayName ?? null,
      email: value.email ?? null,
      title: value.title ?? null,
      fullName: value.fullName ?? null,
      firstName: value.firstName ?? null,
      lastName: value.lastName ?? null,
      departmentName: value.departmentName ?? null,
      countryCode: value.countryCode ?? null,
      manager: this.context.entity(value.managerUrn) ?? null,
      stored: value,
      owner: this.urnText,
    };
  }

  @Field(() => CorpUserInfo, { nullable: true, deprecationReason: 'Use properties.' })
  info(): CorpUserInfo | null {
    return this.properties();
  }

  @Field(() => CorpUserEditableProperties, {
    nullable: true,
    description: 'What users say about themselves.',
  })
  editableProperties(): (CorpUserEditableProperties & Stored) | null {
    const value = this.value('corpUserEditableInfo');
    if (!value) return null;
    return {
      displayName: value.displayName ?? null,
      title: value.title ?? null,
      aboutMe: value.aboutMe ?? null,
      teams: value.teams,
      skills: value.skills,
      pictureLink: value.pictureLink,
      slack: value.slack ?? null,
      phone: value.phone ?? null,
      email: value.email ?? null,
      stored: value,
    };
  }
}

@ObjectType('CorpGroupProperties', { description: 'What is known about a group.' })
export class CorpGroupProperties {
  @Field(() => String, optional) displayName!: string | null;
  @Field(() => String, { nullable: true, description: 'What people wrote in the catalog wins.' })
  description!: string | null;
  @Field(() => String, optional) email!: string | null;
  @Field(() => String, optional) slack!: string | null;
}

@ObjectType('CorpGroupInfo', { description: 'What is known about a group, and who is in it.' })
export class CorpGroupInfo extends CorpGroupProperties {
  @Field(() => [typeNamed('CorpUser')], optional) admins!: Entity[];
  @Field(() => [typeNamed('CorpUser')], optional) members!: Entity[];
  @Field(() => [String], optional) groups!: string[];
}

@ObjectType('CorpGroupEditableProperties', { description: 'What people write about a group.' })
export class CorpGroupEditableProperties {
  @Field(() => String, optional) description!: string | null;
  @Field(() => String, optional) slack!: string | null;
  @Field(() => String, optional) email!: string | null;
  @Field(() => String, optional) pictureLink!: string | null;
}

@EntityObject('corpGroup', 'A group of users.')
export class CorpGroup extends Asset {
  @Field(() => String, { description: 'The name in the URN.' })
  get name(): string {
    return keyParts(this.urnText)[0] ?? '';
  }

  @Field(() => CorpGroupProperties, { nullable: true, description: 'What is known about the group.' })
  properties(): CorpGroupProperties | null {
    const [value, editable] = this.values('corpGroupInfo', 'corpGroupEditableInfo');
    if (!value && !editable) return null;
    return {
      displayName: value?.displayName ?? null,
      description: editable?.description ?? value?.description ?? null,
      email: editable?.email ?? value?.email ?? null,
      slack: editable?.slack ?? value?.slack ?? null,
    };
  }

  @Field(() => CorpGroupEditableProperties, {
    nullable: true,
    description: 'What people write about the group.',
  })
  editableProperties(): CorpGroupEditableProperties | null {
    const value = this.value('corpGroupEditableInfo');
    if (!value) return null;
    return {
      description: value.description ?? null,
      slack: value.slack ?? null,
      email: value.email ?? null,
      pictureLink: value.pictureLink,
    };
  }

  @Field(() => CorpGroupInfo, {
    nullable: true,
    description: 'What is known about the group, and who is in it.',
  })
  info(): (CorpGroupInfo & Stored) | null {
    const properties = this.properties();
    const value = this.value('corpGroupInfo');
    if (!value || !properties) return null;
    const users = (urns: readonly string[]) =>
      urns.map((urn) => this.context.entity(urn)).filter((user) => user.entityName === 'corpuser');
    return {
      ...properties,
      admins: users(value.admins),
      members: users(value.members),
      groups: value.groups,
      stored: value,
    };
  }
}

export const OwnerType = createUnionType({
  name: 'OwnerType',
  description: 'Who can own something.',
  types: () => [CorpUser, CorpGroup] as const,
  resolveType: (owner: Entity) => owner.constructor as Type<Entity>,
});

showsPartOf('CorpUserProperties', 'identity.CorpUserInfo');
showsPartOf('CorpUserInfo', 'identity.CorpUserInfo');
showsPartOf('CorpUserEditableProperties', 'identity.CorpUserEditableInfo');
showsPartOf('CorpGroupInfo', 'identity.CorpGroupInfo');
