import { Module } from '@nestjs/common';
import { IntegrityActions } from './integrity.actions.js';
import { EntitiesModule } from '../entities/index.js';
import { StoreVerifier } from './store-verifier.js';

/** Checks that what the store holds fits together. Needs the global providers Database and Model. */
@Module({ imports: [EntitiesModule], providers: [IntegrityActions, StoreVerifier] })
export class IntegrityModule {}
