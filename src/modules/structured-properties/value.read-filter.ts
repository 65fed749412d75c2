import { Injectable } from '@nestjs/common';
import { AspectReadFilter } from '../../catalog/extension/index.js';
import { VALUES_ASPECT } from './property-definition.js';
import { Properties, propertyUrnsOf } from './properties.js';
import { hiddenEntries, shownValue } from './value.codec.js';

/** Hides values whose property is soft-deleted, or is no longer the one that they were written for. */
@Injectable()
export class ValueReadFilter extends AspectReadFilter {
  readonly aspects = [VALUES_ASPECT];

  constructor(private readonly properties: Properties) {
    super();
  }

  async filter(
    values: ReadonlyArray<{ urn: string; value: Record<string, unknown> }>,
  ): Promise<Array<Record<string, unknown> | undefined>> {
    const states = await this.properties.committed(values.flatMap(({ value }) => propertyUrnsOf(value)));
    return values.map(({ value }) => shownValue(value, states));
  }

  override async hidden(value: Record<string, unknown>): Promise<readonly unknown[]> {
    const states = await this.properties.committed(propertyUrnsOf(value));
    return hiddenEntries(value, states);
  }
}
