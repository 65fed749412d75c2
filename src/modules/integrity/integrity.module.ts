import { Module } from '@nestjs/common';
import { IntegrityActions } from './integrity.actions.js';
import { StoreVerifier } from './store-verifier.js';

/** Checks that what the store holds fits together. Needs the global providers Database and Model. */
@Module({ providers: [IntegrityActions, StoreVerifier] })
export class IntegrityModule {}
