import { Injectable } from '@nestjs/common';
import { Actions, serve } from '../../catalog/route/index.js';
import { getCount } from './count.routes.js';
import { EntityReader } from './entity-reader.service.js';

/** `POST /aspects?action=getCount`. */
@Injectable()
export class CountActions extends Actions {
  readonly actions = [
    serve(getCount, (principal, { aspect, urnLike }) => this.reader.count(principal, aspect, urnLike)),
  ];

  constructor(private readonly reader: EntityReader) {
    super();
  }
}
