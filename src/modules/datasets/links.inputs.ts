import { Field, InputType } from '@nestjs/graphql';

@InputType('LinkSettingsInput', { description: 'Where a link is shown.' })
export class LinkSettingsInput {
  @Field(() => Boolean, { nullable: true, description: 'Also in previews of the entity.' })
  showInAssetPreview?: boolean | null;
}

@InputType('AddLinkInput', { description: 'A link to documentation, and what it documents.' })
export class AddLinkInput {
  @Field(() => String, { description: 'An http, https, ftp or mailto address.' })
  linkUrl!: string;

  @Field(() => String, { description: 'What is found there.' })
  label!: string;

  @Field(() => String, { description: 'URN of what it documents.' })
  resourceUrn!: string;

  @Field(() => LinkSettingsInput, { nullable: true, description: 'Where it is shown.' })
  settings?: LinkSettingsInput | null;
}

@InputType('UpsertLinkInput', {
  description: 'A link that is added, or given other settings when it is there.',
})
export class UpsertLinkInput extends AddLinkInput {}

@InputType('UpdateLinkInput', { description: 'A link, and its new values.' })
export class UpdateLinkInput extends AddLinkInput {
  @Field(() => String, { description: 'The address now.' })
  currentUrl!: string;

  @Field(() => String, { description: 'The label now.' })
  currentLabel!: string;
}

@InputType('RemoveLinkInput', { description: 'A link that is removed.' })
export class RemoveLinkInput {
  @Field(() => String, { description: 'The address.' })
  linkUrl!: string;

  @Field(() => String, { nullable: true, description: 'Only the link with this label; any when absent.' })
  label?: string | null;

  @Field(() => String, { description: 'URN of what it documents.' })
  resourceUrn!: string;
}
