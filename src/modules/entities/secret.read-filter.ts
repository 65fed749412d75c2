import { Injectable } from '@nestjs/common';
import { AspectReadFilter } from '../../catalog/extension/index.js';
import { Model } from '../../catalog/model/index.js';

/** Hides aspects that the model marks as secret, from every caller. */
@Injectable()
export class SecretReadFilter extends AspectReadFilter {
  readonly aspects: readonly string[];

  constructor(model: Model) {
    super();
    this.aspects = [...model.aspects.values()].filter(({ secret }) => secret).map(({ name }) => name);
  }

  filter(values: readonly unknown[]): Promise<undefined[]> {
    return Promise.resolve(values.map(() => undefined));
  }
}
