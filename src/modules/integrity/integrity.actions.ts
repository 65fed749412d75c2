import { Injectable } from '@nestjs/common';
import { Actions, serve } from '../../catalog/route/index.js';
import { DEFAULT_NAMED, verifyStore } from './integrity.routes.js';
import { StoreVerifier } from './store-verifier.js';

/** What administrators ask about the soundness of the store. */
@Injectable()
export class IntegrityActions extends Actions {
  readonly actions = [
    serve(verifyStore, (principal, { from, limit = DEFAULT_NAMED }) =>
      this.verifier.verify(principal, { from, named: limit }),
    ),
  ];

  constructor(private readonly verifier: StoreVerifier) {
    super();
  }
}
