import { Injectable } from '@nestjs/common';
import { AspectActions } from '../../catalog/extension/aspect-actions.js';
import { Parameters } from '../../catalog/restli/index.js';
import { EntityReader } from './entity-reader.service.js';

/** `POST /aspects?action=getCount`. */
@Injectable()
export class CountActions extends AspectActions {
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
