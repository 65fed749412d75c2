import { Context, Field, ObjectType, Query, Resolver } from '@nestjs/graphql';
import type { Principal } from '../../catalog/auth/index.js';
import type * as model from '../../catalog/model/generated/aspects.js';
import { EntityReader } from '../entities/index.js';
import { RequestContext, showsPartOf, showsRecord, type Stored } from '../graphql/index.js';

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

/** The model adds the template itself. */
@ObjectType('GlobalHomePageSettings', { description: 'What the home page of every user shows at first.' })
class GlobalHomePageSettings {
  @Field(() => String, { description: 'URN of the page template.' }) defaultTemplateUrn!: string;
}

showsRecord(
  'settings.global.GlobalHomePageSettings',
  'GlobalHomePageSettings',
  (value: model.GlobalHomePageSettings, _context, owner): GlobalHomePageSettings & Stored => ({
    defaultTemplateUrn: value.defaultTemplate,
    stored: value,
    owner,
  }),
);
showsPartOf('GlobalHomePageSettings', 'settings.global.GlobalHomePageSettings', true);

/** Settings that hold for every user. */
@Resolver()
export class GlobalSettingsResolver {
  constructor(private readonly reader: EntityReader) {}

  @Query(() => GlobalViewsSettings, {
    nullable: true,
    description: 'The view of the global settings. Clients pass it on: no search takes it by itself.',
  })
  async globalViewsSettings(@Context() { principal }: RequestContext): Promise<GlobalViewsSettings> {
    return (await this.settings(principal))?.views ?? {};
  }

  @Query(() => GlobalHomePageSettings, {
    nullable: true,
    description: 'What the home page of every user shows at first; null when nothing was set.',
  })
  async globalHomePageSettings(
    @Context() { principal }: RequestContext,
  ): Promise<(GlobalHomePageSettings & Stored) | null> {
    const home = (await this.settings(principal))?.homePage;
    return home ? { defaultTemplateUrn: home.defaultTemplate, stored: home, owner: SETTINGS } : null;
  }

  private async settings(principal: Principal): Promise<model.GlobalSettingsInfo | undefined> {
    const found = await this.reader.read(principal, [SETTINGS], ['globalSettingsInfo']);
    return found.get(SETTINGS)?.aspects.get('globalSettingsInfo')?.value;
  }
}
