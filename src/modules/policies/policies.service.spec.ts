import { afterEach, expect, it, jest } from '@jest/globals';
import type { Principal } from '../../catalog/auth/index.js';
import { Model } from '../../catalog/model/index.js';
import type { EntityState, EntityStateReader } from '../../catalog/store/index.js';
import type { TokenService } from '../auth/index.js';
import { PoliciesService } from './policies.service.js';

const HOUR_MS = 3_600_000;
const HIDE: EntityState = {
  urn: 'urn:li:dataHubPolicy:hide',
  entityType: 'dataHubPolicy',
  sequence: 1,
  exists: true,
  removed: false,
  aspects: new Map([
    [
      'dataHubPolicyInfo',
      {
        value: {
          ...{ displayName: 'hide', description: '', type: 'METADATA', state: 'ACTIVE', effect: 'DENY' },
          privileges: ['VIEW_ENTITY_PAGE'],
          actors: { allUsers: true, allGroups: false, resourceOwners: false },
        },
      },
    ],
  ]) as unknown as EntityState['aspects'],
};

afterEach(() => void jest.useRealTimers());

it('notices what another process has changed, also after the clock was set back', async () => {
  jest.useFakeTimers();
  let stored: EntityState[] = [];
  const reader = {
    states: async () => new Map(),
    ofType: async () => stored,
    markOf: async () => String(stored.length),
  } as Partial<EntityStateReader> as EntityStateReader;
  const service = new PoliciesService(Model.load(), reader, {} as TokenService);
  const ann: Principal = { actor: 'urn:li:corpuser:ann', role: 'READER' };
  const restricted = async () => (await service.applyTo(ann)).access !== undefined;
  expect(await restricted()).toBe(false);
  stored = [HIDE];
  jest.setSystemTime(Date.now() - HOUR_MS);
  jest.advanceTimersByTime(5_000);
  expect(await restricted()).toBe(true);
  // What was found out about the caller is no longer fresh either.
  stored = [];
  jest.setSystemTime(Date.now() - HOUR_MS);
  jest.advanceTimersByTime(5_000);
  expect(await restricted()).toBe(false);
});
