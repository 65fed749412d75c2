import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { jwtVerify } from 'jose';
import { TestIssuer } from '../../../../test/harness/test-issuer.js';
import { until } from '../../../../test/harness/until.js';
import { Issuer } from './issuer.js';

const MINUTE_MS = 60_000;

let provider: TestIssuer;
let clock: number;
let issuer: Issuer;
/** Signed with the key of the beginning. */
let token: string;

beforeAll(() => Logger.overrideLogger(false));
beforeEach(async () => {
  provider = await TestIssuer.start();
  clock = 0;
  issuer = new Issuer(provider.url, () => clock);
  token = await provider.token();
  await verify();
});
afterEach(() => provider.stop());

const verify = () => jwtVerify(token, (header, signed) => issuer.key(header, signed));
const readings = () => provider.asked.filter((path) => path === '/realm/keys').length;

it('is read again beside the requests after ten minutes', async () => {
  clock = 9 * MINUTE_MS;
  await verify();
  expect(readings()).toBe(1);
  clock = 11 * MINUTE_MS;
  await verify();
  await until(async () => readings() === 2);
  await verify();
  expect(readings()).toBe(2);
});

it('refuses a key that was withdrawn while no token came', async () => {
  await provider.rotate();
  clock = 21 * MINUTE_MS;
  await expect(verify()).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
});

it('is believed for an hour while it cannot be reached', async () => {
  provider.broken = 503;
  for (const minutes of [11, 30, 59]) {
    clock = minutes * MINUTE_MS;
    await verify();
  }
  clock = 61 * MINUTE_MS;
  await expect(verify()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 5 });
  provider.broken = undefined;
  clock += 2_000;
  await verify();
});
