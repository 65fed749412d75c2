import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CatalogError } from '../../catalog/errors/index.js';
import { Database, type Transaction } from '../../catalog/store/index.js';
import type { SignInAttemptRow } from './entities/sign-in-attempt.row.js';

const WINDOW_MS = 15 * 60_000;

/**
 * How often within a window: a name from one address, a name from all of them, an address for all names. A caller who tries
 * the name of a person keeps that person out at the address of the caller only, unless there are many of those.
 */
const LIMITS = { pair: 10, user: 100, address: 100 } as const;

/** Counts attempts to sign in, in the database: all processes share the counts. Those that succeed are taken back. */
@Injectable()
export class SignInAttempts {
  constructor(@Inject(Database) private readonly database: Database) {}

  /**
   * Counts an attempt, before anything is checked. @param user '' where none is named
   * @returns takes it back, with all of that user from that address
   * @throws CatalogError TOO_MANY_REQUESTS, the same whether or not there is such a user
   */
  async begin(user: string, address: string, now = Date.now()): Promise<() => Promise<void>> {
    const subjects = [
      { subject: subjectOf('pair', `${user} ${address}`), most: LIMITS.pair },
      { subject: subjectOf('address', address), most: LIMITS.address },
      ...(user === '' ? [] : [{ subject: subjectOf('user', user), most: LIMITS.user }]),
    ].sort((a, b) => (a.subject < b.subject ? -1 : 1));
    const end = await this.database.transaction(async (tx) => {
      await tx.run('DELETE FROM sign_in_attempt WHERE ends_at <= ?', [now]);
      let latest = 0;
      for (const { subject, most } of subjects) {
        const { attempts, endsAt } = await count(tx, subject, now);
        if (attempts > most) latest = Math.max(latest, endsAt);
      }
      return latest;
    });
    if (end > 0) {
      const retryAfter = Math.max(1, Math.ceil((end - now) / 1000));
      const message = `too many attempts to sign in: try again in ${Math.ceil(retryAfter / 60)} minutes`;
      throw new CatalogError('TOO_MANY_REQUESTS', message, [], { retryAfter });
    }
    return () => this.succeeded(subjects.map(({ subject }) => subject));
  }

  private async succeeded(subjects: readonly string[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const subject of subjects) {
        if (subject.startsWith('pair'))
          await tx.run('DELETE FROM sign_in_attempt WHERE subject = ?', [subject]);
        else
          await tx.run(
            'UPDATE sign_in_attempt SET attempts = attempts - 1 WHERE subject = ? AND attempts > 0',
            [subject],
          );
      }
    });
  }
}

/** User names are not stored where anybody may have typed a password as one. */
const subjectOf = (kind: string, text: string): string => `${kind}:${hash('sha256', text, 'hex')}`;

async function count(
  tx: Transaction,
  subject: string,
  now: number,
): Promise<{ attempts: number; endsAt: number }> {
  await tx.insert<{ subject: string; attempts: number; ends_at: number }>(
    'sign_in_attempt',
    ['subject', 'attempts', 'ends_at'],
    [[subject, 0, now + WINDOW_MS]],
    { key: ['subject'], then: 'ignore' },
  );
  await tx.run('UPDATE sign_in_attempt SET attempts = attempts + 1 WHERE subject = ?', [subject]);
  const [row] = await tx.all<SignInAttemptRow>(
    'SELECT subject, attempts, ends_at AS endsAt FROM sign_in_attempt WHERE subject = ?',
    [subject],
  );
  return { attempts: Number(row?.attempts ?? 0), endsAt: Number(row?.endsAt ?? 0) };
}
