import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { outsideRequests } from '../../catalog/schedule/index.js';
import { Database } from '../../catalog/store/index.js';
import type { ServiceSecretRow } from './entities/service-secret.row.js';

/** Keys that all processes of one catalog share, made when they are first asked for. */
@Injectable()
export class ServiceSecrets {
  constructor(private readonly database: Database) {}

  /** For all that wait for it, whatever becomes of the request that asks first. */
  get(name: string): Promise<Buffer> {
    return outsideRequests(() => this.find(name));
  }

  private async find(name: string): Promise<Buffer> {
    const known = await this.read(name);
    if (known) return known;
    const value = randomBytes(32).toString('base64url');
    // Another process may be first: the one that is stored counts.
    await this.database.transaction((tx) =>
      tx.insert<ServiceSecretRow>(
        'service_secret',
        ['name', 'value', 'created_at'],
        [[name, value, Date.now()]],
        {
          key: ['name'],
          then: 'ignore',
        },
      ),
    );
    const stored = await this.read(name);
    if (!stored) throw new Error(`the secret ${name} could not be stored`);
    return stored;
  }

  private async read(name: string): Promise<Buffer | undefined> {
    const [row] = await this.database.all<Pick<ServiceSecretRow, 'value'>>(
      'SELECT value FROM service_secret WHERE name = ?',
      [name],
    );
    return row && Buffer.from(row.value, 'base64url');
  }
}
