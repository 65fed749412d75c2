import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import {
  CatalogError,
  refuse,
  type ErrorCode,
  type ErrorDetail,
  type ErrorKind,
} from '../../../catalog/errors/index.js';
import { readJson } from '../../../catalog/json/index.js';
import type { Transaction } from '../../../catalog/store/index.js';
import type { HttpAnswer } from '../answers/answer.js';
import type { WriteCall } from '../request/write-call.js';
import { IdempotencyRepository, type StoredAnswer } from './idempotency.repository.js';

/** How long the first answer to a key is repeated; after that the key is free again. */
const KEY_LIFE_MS = 24 * 3_600_000;

/** Refusals that depend on what is stored: repeated like other answers. Others come out the same by themselves. */
const REPEATED: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  'not-found',
  'conflict',
  'precondition',
  'invalid',
]);

/** Headers that change what a write means, and so belong to what was asked for. */
const MEANING = ['if-match', 'if-none-match', 'if-version-match', 'if-modified-since', 'if-unmodified-since'];

/** To be called inside the transaction of a write with what will be answered, before anything else is written there. */
export type Remember = (tx: Transaction, answer: HttpAnswer) => Promise<void>;

interface Recorded {
  /** Tells apart two answers that say the same. */
  id: string;
  answer?: { status: number; headers?: Readonly<Record<string, string>>; body?: string };
  failure?: { code: ErrorCode; message: string; errors: readonly ErrorDetail[] };
}

/** Thrown inside a transaction when another request with the same key was there first: nothing is written then. */
class AnsweredAlready extends CatalogError {
  constructor(readonly stored: StoredAnswer) {
    super('IDEMPOTENCY_KEY_REUSED', 'another request with this Idempotency-Key was answered first');
  }
}

/**
 * Lets a write with an `Idempotency-Key` be repeated safely. The answer is stored in the transaction of the write:
 * there are both or neither, whatever dies in between, and of two requests at once one does the work and both get
 * its answer. Keys belong to the caller, for {@link KEY_LIFE_MS}.
 */
@Injectable()
export class IdempotencyService {
  constructor(private readonly repository: IdempotencyRepository) {}

  /** @throws CatalogError IDEMPOTENCY_KEY_REUSED (422) when the key stands for another request */
  async once(
    principal: Principal,
    call: WriteCall,
    work: (remember: Remember | undefined) => Promise<HttpAnswer>,
  ): Promise<HttpAnswer> {
    const key = keyOf(call);
    if (key === undefined) return work(undefined);
    const scope = hash(principal.actor, key);
    const fingerprint = fingerprintOf(call);
    const earlier = await this.repository.find(scope, Date.now());
    if (earlier) return replay(earlier, fingerprint);
    const claim = (recorded: Omit<Recorded, 'id'>): [StoredAnswer, number, number] => {
      const now = Date.now();
      const answer = JSON.stringify({ id: randomUUID(), ...recorded });
      return [{ fingerprint, answer }, now, now + KEY_LIFE_MS];
    };
    try {
      return await work(async (tx, { status, headers, body }) => {
        const answer = { status, ...(headers && { headers }), ...(body && { body: body.toString() }) };
        const first = await this.repository.claim(tx, scope, ...claim({ answer }));
        if (first) throw new AnsweredAlready(first);
      });
    } catch (error) {
      if (error instanceof AnsweredAlready) return replay(error.stored, fingerprint);
      if (!(error instanceof CatalogError) || !REPEATED.has(error.kind)) throw error;
      const { code, message, errors } = error;
      const first = await this.repository.claimAlone(scope, ...claim({ failure: { code, message, errors } }));
      if (first) return replay(first, fingerprint);
      throw error;
    }
  }
}

function keyOf({ headers }: WriteCall): string | undefined {
  const given = headers['idempotency-key'];
  if (given === undefined) return undefined;
  if (typeof given === 'string' && /^[\x21-\x7e]{1,255}$/.test(given)) return given;
  throw refuse(
    'PARAMETER_INVALID',
    'Idempotency-Key must be 1 to 255 visible ASCII characters, without blanks',
    '/headers/Idempotency-Key',
  );
}

function fingerprintOf({ method, url, headers, body }: WriteCall): string {
  const meaning = MEANING.map((name) => headers[name] ?? null);
  return hash(method, url, JSON.stringify(meaning), JSON.stringify(body) ?? '');
}

function hash(...parts: string[]): string {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${Buffer.byteLength(part)}:`).update(part);
  return sum.digest('hex');
}

function replay(stored: StoredAnswer, fingerprint: string): HttpAnswer {
  if (stored.fingerprint !== fingerprint) {
    throw refuse(
      'IDEMPOTENCY_KEY_REUSED',
      'this Idempotency-Key was used for another request: take a new one',
      '/headers/Idempotency-Key',
    );
  }
  const { answer, failure } = readJson(stored.answer) as Recorded;
  if (failure) throw new CatalogError(failure.code, failure.message, failure.errors);
  if (answer === undefined) throw new Error('an idempotency key without an answer');
  return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } };
}
