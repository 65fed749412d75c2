import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteDatabase } from '../../adapters/database/index.js';
import { SignInAttemptRow } from './entities/sign-in-attempt.row.js';
import { SignInAttempts } from './sign-in-attempts.js';

const NOW = 1_800_000_000_000;
const TOO_MANY = { code: 'TOO_MANY_REQUESTS' };

let home: string;
let database: SqliteDatabase;
let attempts: SignInAttempts;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'attempts-'));
  database = await SqliteDatabase.open(join(home, 'catalog.db'), [SignInAttemptRow]);
  attempts = new SignInAttempts(database);
});
afterEach(async () => {
  await database.close();
  await rm(home, { recursive: true });
});

/** How many of so many attempts were let pass. */
async function passed(count: number, name: (i: number) => string, address: string, now = NOW) {
  const all = Array.from({ length: count }, (_, i) => attempts.begin(name(i), address, now));
  return (await Promise.allSettled(all)).filter(({ status }) => status === 'fulfilled').length;
}

it('one address, however often it tries, keeps nobody out elsewhere', async () => {
  expect(await passed(150, () => 'ann', '192.0.2.1')).toBe(10);
  expect(await passed(10, () => 'ann', '192.0.2.2')).toBe(10);
});

it('what is refused leaves no rows', async () => {
  expect(await passed(300, (i) => `user ${i}`, '192.0.2.1')).toBe(100);
  const [row] = await database.all<{ n: number }>('SELECT COUNT(*) AS n FROM sign_in_attempt');
  expect(Number(row?.n)).toBe(1 + 2 * 100);
});

it('a network of IPv6 counts as one address, and a mapped address as what it is', async () => {
  expect(await passed(10, () => 'ann', '2001:db8:0:1::1')).toBe(10);
  await expect(attempts.begin('ann', '2001:0db8:0:1:ffff::2', NOW)).rejects.toMatchObject(TOO_MANY);
  await attempts.begin('ann', '2001:db8:0:2::1', NOW);
  expect(await passed(10, () => 'ann', '::ffff:192.0.2.1')).toBe(10);
  await expect(attempts.begin('ann', '192.0.2.1', NOW)).rejects.toMatchObject(TOO_MANY);
});

it('all of another window count anew', async () => {
  expect(await passed(11, () => 'ann', '192.0.2.1')).toBe(10);
  expect(await passed(11, () => 'ann', '192.0.2.1', NOW + 15 * 60_000)).toBe(10);
});

it('a window that began before the clock was set back locks no user out', async () => {
  expect(await passed(11, () => 'ann', '192.0.2.1')).toBe(10);
  expect(await passed(11, () => 'ann', '192.0.2.1', NOW - 60 * 60_000)).toBe(10);
});
