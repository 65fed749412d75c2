import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { CatalogError } from '../../catalog/errors/index.js';
import { furthest, isAhead } from '../../catalog/schedule/index.js';
import { Database, type Transaction } from '../../catalog/store/index.js';
import type { SignInAttemptRow } from './entities/sign-in-attempt.row.js';

const WINDOW_MS = 15 * 60_000;
/** How often rows of windows that have ended are removed. */
const FORGET_MS = 60_000;

/**
 * How often within a window: a name from one address, a name from all of them, an address for all names. A caller who tries
 * the name of a person keeps that person out at the address of the caller only, unless there are many of those.
 */
const LIMITS = { pair: 10, user: 100, address: 100 } as const;

/** Counts attempts to sign in, in the database: all processes share the counts. Those that succeed are taken back. */
@Injectable()
export class SignInAttempts {
  private forgotAt = 0;

  constructor(@Inject(Database) private readonly database: Database) {}

  /**
   * Counts an attempt, before anything is checked. An attempt that is refused is not counted: a caller who has used
   * up its own attempts could otherwise use up those of all who try that name, and fill the table with names.
   * @param user '' where none is named
   * @returns takes the attempt back, with all others of that user from that address
   * @throws CatalogError TOO_MANY_REQUESTS, the same whether or not there is such a user
   */
  async begin(user: string, address: string, now = Date.now()): Promise<() => Promise<void>> {
    const from = networkOf(address);
    // In one order for all, so that no two transactions wait for each other.
    const subjects = [
      { subject: subjectOf('address', from), most: LIMITS.address },
      { subject: subjectOf('pair', `${user} ${from}`), most: LIMITS.pair },
      ...(user === '' ? [] : [{ subject: subjectOf('user', user), most: LIMITS.user }]),
    ];
    // Most of those who try without end are refused by reading alone.
    const counted = await this.counted(subjects.map(({ subject }) => subject));
    for (const { subject, most } of subjects) {
      const { attempts = 0, endsAt = 0 } = counted.get(subject) ?? {};
      if (attempts >= most && isAhead(endsAt, WINDOW_MS, now)) throw tooMany(endsAt, now);
    }
    await this.forgetEnded(now);
    await this.database.transaction(async (tx) => {
      for (const { subject, most } of subjects) {
        const { attempts, endsAt } = await count(tx, subject, now);
        if (attempts > most) throw tooMany(endsAt, now);
      }
    });
    return () => this.succeeded(subjects.map(({ subject }) => subject));
  }

  private async counted(subjects: readonly string[]): Promise<Map<string, SignInAttemptRow>> {
    const { sql, params } = this.database.dialect.in('subject', subjects);
    const rows = await this.database.all<SignInAttemptRow>(
      `SELECT subject, attempts, ends_at AS endsAt FROM sign_in_attempt WHERE ${sql}`,
      params,
    );
    return new Map(
      rows.map((row) => [
        row.subject,
        { ...row, attempts: Number(row.attempts), endsAt: Number(row.endsAt) },
      ]),
    );
  }

  /** Not with each attempt: it goes through the whole table. */
  private async forgetEnded(now: number): Promise<void> {
    if (now - this.forgotAt < FORGET_MS) return;
    this.forgotAt = now;
    await this.database.transaction((tx) => tx.run(`DELETE FROM sign_in_attempt WHERE ${ENDED}`, ended(now)));
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

/** An owner of IPv6 addresses has all of a /64 network: they count as one. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Windows that have ended, or that began before a clock was set back, whose end would be long in coming. */
const ENDED = '(ends_at <= ? OR ends_at > ?)';
const ended = (now: number): number[] => [now, furthest(WINDOW_MS, now)];

/** User names are not stored where anybody may have typed a password as one. */
const subjectOf = (kind: string, text: string): string => `${kind}:${hash('sha256', text, 'hex')}`;

function tooMany(endsAt: number, now: number): CatalogError {
  const retryAfter = Math.max(1, Math.ceil((endsAt - now) / 1000));
  const message = `too many attempts to sign in: try again in ${Math.ceil(retryAfter / 60)} minutes`;
  return new CatalogError('TOO_MANY_REQUESTS', message, [], { retryAfter });
}

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
  // A window that has ended may still be there: it begins anew. `ends_at` comes last, since MySQL reads what it has just set.
  await tx.run(
    `UPDATE sign_in_attempt SET attempts = CASE WHEN ${ENDED} THEN 1 ELSE attempts + 1 END,
       ends_at = CASE WHEN ${ENDED} THEN ? ELSE ends_at END WHERE subject = ?`,
    [...ended(now), ...ended(now), now + WINDOW_MS, subject],
  );
  const [row] = await tx.all<SignInAttemptRow>(
    'SELECT subject, attempts, ends_at AS endsAt FROM sign_in_attempt WHERE subject = ?',
    [subject],
  );
  return { attempts: Number(row?.attempts ?? 0), endsAt: Number(row?.endsAt ?? 0) };
}
