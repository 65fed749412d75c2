import { Injectable } from '@nestjs/common';
import { AspectActions } from '../../catalog/extension/aspect-actions.js';
import { RestliAction } from '../../catalog/extension/documented.js';
import { Parameters } from '../../catalog/restli/index.js';
import { EntityReader } from './entity-reader.service.js';

/** `POST /aspects?action=getCount`. */
@Injectable()
export class CountActions extends AspectActions {
  @RestliAction({
    resource: 'aspects',
    action: 'getCount',
    summary: 'Counts the entities that have an aspect, or the events of a time series.',
    parameters: { aspect: 'name of the aspect', urnLike: 'SQL LIKE pattern of the URNs to count' },
    answer: 'a number',
  })
  readonly actions: AspectActions['actions'] = {
    getCount: (principal, body) => {
      const parameters = Parameters.of(body, ['aspect', 'urnLike']);
      return this.reader.count(principal, parameters.text('aspect'), parameters.optionalText('urnLike'));
    },
  };

  constructor(private readonly reader: EntityReader) {
    super();
  }
}
