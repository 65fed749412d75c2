import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { CatalogError, refuse } from '../../catalog/errors/index.js';
import { Limiter } from '../../catalog/schedule/index.js';

/** 32 MB and some 0.2 s of a processor: one of the settings that OWASP names for scrypt. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** At a time in this process, so that many who sign in take neither all threads nor much memory. */
const AT_A_TIME = 2;
/** Further ones wait, and still further ones are told to come again. */
const MOST_WAITING = 100;
const RETRY_AFTER_SECONDS = 5;

const LEAST_LENGTH = 10;
const MOST_LENGTH = 256;

const SHAPE = /^\$scrypt\$N=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

const derive = promisify<Buffer, Buffer, number, ScryptOptions, Buffer>(scrypt);
const limiter = new Limiter(AT_A_TIME);
const never = new AbortController().signal;
let under = 0;

/** @throws CatalogError PARAMETER_INVALID for a password that is too easy to guess, or longer than any */
export function checkPassword(password: string, pointer: string): void {
  const { length } = [...password];
  if (length >= LEAST_LENGTH && password.length <= MOST_LENGTH) return;
  const message = `a password has ${LEAST_LENGTH} to ${MOST_LENGTH} characters, not ${length}`;
  throw refuse('PARAMETER_INVALID', message, pointer);
}

/** What is stored of a password: how it was hashed, a salt of its own, and the hash. */
export async function hashPassword(
  password: string,
  cost: { readonly N: number; readonly r: number; readonly p: number } = COST,
): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await keyOf(password, salt, cost);
  return `$scrypt$N=${cost.N},r=${cost.r},p=${cost.p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/**
 * Whether a password is the one that was stored. It takes as long where there is none.
 * @throws CatalogError SERVICE_UNAVAILABLE when too many ask
 */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = SHAPE.exec(stored) ?? [];
  const cost = hash === '' ? COST : { N: Number(N), r: Number(r), p: Number(p) };
  const key = await keyOf(password, Buffer.from(salt, 'base64url'), cost);
  const expected = Buffer.from(hash, 'base64url');
  return expected.length === key.length && timingSafeEqual(expected, key);
}

async function keyOf(
  password: string,
  salt: Buffer,
  cost: { N: number; r: number; p: number },
): Promise<Buffer> {
  if (under >= AT_A_TIME + MOST_WAITING)
    throw new CatalogError(
      'SERVICE_UNAVAILABLE',
      'too many people sign in at this moment: try again soon',
      [],
      {
        retryAfter: RETRY_AFTER_SECONDS,
      },
    );
  under += 1;
  try {
    // The same letters may be typed as different code points.
    const text = Buffer.from(password.normalize('NFKC'));
    const maxmem = 256 * cost.N * cost.r;
    return await limiter.run(() => derive(text, salt, KEY_BYTES, { ...cost, maxmem }), never);
  } finally {
    under -= 1;
  }
}
