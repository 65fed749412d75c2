import { Injectable } from '@nestjs/common';
import { DefaultAspect, type NewEntity } from '../../catalog/extension/index.js';

const PLATFORM = 'urn:li:dataPlatform:';

/** A new entity is on the platform that its key names (`platformField` of the model). */
@Injectable()
export class DefaultPlatformInstance extends DefaultAspect {
  readonly aspect = 'dataPlatformInstance';

  valueFor({ entity: { platformField }, key }: NewEntity): Promise<Record<string, unknown> | undefined> {
    const named = platformField === undefined ? undefined : key[platformField];
    return Promise.resolve(platformOf(named));
  }
}

/** Some keys take a URN of any kind there; only that of a platform makes a value that the aspect's schema allows. */
function platformOf(named: unknown): { platform: string } | undefined {
  if (typeof named !== 'string' || named === '') return undefined;
  if (!named.startsWith('urn:li:')) return { platform: PLATFORM + named };
  return named.startsWith(PLATFORM) ? { platform: named } : undefined;
}
