import { Context, Field, ObjectType, Query, Resolver } from '@nestjs/graphql';
import type { AspectValues } from '../../catalog/model/generated/aspects.js';
import { EntityReader } from '../entities/index.js';
import { RequestContext, showsPartOf, showsRecord } from '../graphql/index.js';

/** The one entity that holds the settings of the whole catalog. */
const SETTINGS = 'urn:li:globalSettings:0';

@ObjectType('GlobalViewsSettings', { description: 'Which view every user searches within at first.' })
class GlobalViewsSettings {
  @Field(() => String, {
    nullable: true,
    description: 'URN of the view that clients begin with; null when none was set.',
  })
  defaultView?: string | undefined;
}

showsRecord('settings.global.GlobalViewsSettings', 'GlobalViewsSettings');
showsPartOf('GlobalViewsSettings', 'settings.global.GlobalViewsSettings');

/** Views that hold for every user. */
@Resolver()
export class ViewsResolver {
  constructor(private readonly reader: EntityReader) {}

  @Query(() => GlobalViewsSettings, {
    nullable: true,
    description: 'The view of the global settings. Clients pass it on: no search takes it by itself.',
  })
  async globalViewsSettings(@Context() { principal }: RequestContext): Promise<GlobalViewsSettings> {
    const found = await this.reader.read(principal, [SETTINGS], ['globalSettingsInfo']);
    const info = found.get(SETTINGS)?.aspects.get('globalSettingsInfo')?.value as
      AspectValues['globalSettingsInfo'] | undefined;
    return info?.views ?? {};
  }
}
