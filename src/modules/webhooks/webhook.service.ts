import { Inject, Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import type { AuditRecord } from '../../catalog/audit/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { readJson } from '../../catalog/json/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { ChangeFeed, ChangeLogRetention, readCursor, writeCursor } from '../change-log/index.js';
import { EventFilters, type EventFilter, type Topic } from '../events/index.js';
import type { WebhookRow } from './entities/webhook.row.js';
import { newSecret } from './signature.js';
import { webhookChange, webhookRecord } from './webhook-audit.js';
import { checkTarget } from './webhook-target.js';
import { WebhookRepository } from './webhook.repository.js';
import { MOST_WEBHOOKS } from './webhook.routes.js';

const NAME = /^[\w.-]{1,64}$/;
const DAY_MS = 86_400_000;

/** What an administrator asks to have delivered where. */
export interface WebhookInput {
  name: string;
  url: string;
  topic: Topic;
  filter: EventFilter;
  offsetId: string | undefined;
}

/** Registers webhooks and shows how they are. Every call needs the privilege to manage. */
@Injectable()
export class WebhookService {
  constructor(
    private readonly repository: WebhookRepository,
    private readonly feed: ChangeFeed,
    private readonly retention: ChangeLogRetention,
    private readonly filters: EventFilters,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'webhookInternal'>,
  ) {}

  /** @throws CatalogError NOT_ALLOWED, PARAMETER_INVALID, RULE_VIOLATED when there are too many */
  async register(principal: Principal, { name, url, topic, filter, offsetId }: WebhookInput) {
    authorize(principal, 'manage');
    if (!NAME.test(name))
      throw refuse('PARAMETER_INVALID', 'a name has letters, digits, ".", "_" and "-", at most 64', '/name');
    checkTarget(url, this.settings.webhookInternal);
    const named = { entityType: 'entityTypes', aspect: 'aspects', category: 'categories' };
    this.filters.check(topic, filter, named);
    const cursor = offsetId ? readCursor(offsetId) : await this.feed.end();
    const place = { place: writeCursor(cursor), position: cursor.position };
    const secret = newSecret();
    const about = { url, topic, filter: JSON.stringify(filter) };
    const row = await this.repository.update(
      name,
      (old, count) => {
        if (old) {
          // What waits is of the filter before it.
          return { ...old, ...about, ...BLAMELESS, ...(offsetId ? place : {}) };
        }
        if (count >= MOST_WEBHOOKS)
          throw refuse(
            'RULE_VIOLATED',
            `there are ${count} webhooks, and no more may be registered`,
            '/name',
          );
        return {
          ...{ name, ...about, ...place, ...BLAMELESS, secret, former_secret: '', former_until: 0 },
          ...{ state: 'ACTIVE', delivered: 0, delivered_at: 0, lease_owner: '', lease_until: 0 },
          ...{ created_at: Date.now(), created_by: principal.actor },
        };
      },
      auditing(principal, 'register'),
    );
    const { secret: kept } = row as WebhookRow;
    return {
      ...(await this.shown(row as WebhookRow, await this.feed.newest())),
      ...(kept === secret && { secret }),
    };
  }

  async list(principal: Principal) {
    authorize(principal, 'manage');
    const newest = await this.feed.newest();
    const rows = await this.repository.all();
    const webhooks = await Promise.all(rows.map((row) => this.shown(row, newest)));
    return { webhooks, feedHoldDays: this.retention.holdDays };
  }

  /** @throws CatalogError WEBHOOK_NOT_FOUND */
  async rotate(principal: Principal, name: string): Promise<{ secret: string }> {
    authorize(principal, 'manage');
    const secret = newSecret();
    await this.change(principal, 'rotateSecret', name, (row) => ({
      ...row,
      secret,
      former_secret: row.secret,
      former_until: Date.now() + DAY_MS,
    }));
    return { secret };
  }

  /** @throws CatalogError WEBHOOK_NOT_FOUND, PARAMETER_INVALID */
  async resume(principal: Principal, name: string, offsetId: string | undefined) {
    authorize(principal, 'manage');
    const cursor = offsetId ? readCursor(offsetId) : undefined;
    return this.change(principal, 'resume', name, (row) => ({
      ...{ ...row, ...BLAMELESS, state: 'ACTIVE' },
      ...(cursor && { place: writeCursor(cursor), position: cursor.position }),
    }));
  }

  /** @throws CatalogError WEBHOOK_NOT_FOUND */
  async pause(principal: Principal, name: string) {
    authorize(principal, 'manage');
    return this.change(principal, 'pause', name, (row) => ({ ...row, state: 'PAUSED' }));
  }

  async delete(principal: Principal, name: string): Promise<{ deleted: boolean }> {
    authorize(principal, 'manage');
    const audited = webhookRecord(principal.actor, 'DeleteWebhookEvent', { name });
    return { deleted: await this.repository.remove(name, audited) };
  }

  private async change(
    principal: Principal,
    operation: string,
    name: string,
    change: (row: WebhookRow) => WebhookRow,
  ) {
    const row = await this.repository.update(
      name,
      (old) => old && change(old),
      auditing(principal, operation),
    );
    if (row === undefined) throw refuse('WEBHOOK_NOT_FOUND', `there is no webhook "${name}"`, '/name');
    return this.shown(row, await this.feed.newest());
  }

  private async shown(row: WebhookRow, newest: number) {
    return shown(row, newest, await this.retention.keptUntil(row.position));
  }
}

const auditing =
  ({ actor }: Principal, operation: string) =>
  (isNew: boolean, row: WebhookRow): AuditRecord =>
    webhookChange(actor, isNew ? 'CreateWebhookEvent' : 'UpdateWebhookEvent', row, { operation });

/** Nothing was tried of the next batch. */
const BLAMELESS = { batch: 0, attempts: 0, failing_since: 0, next_attempt: 0, last_error: '' };

/** What is shown of a webhook: all but its secrets. */
function shown(row: WebhookRow, newest: number, keptUntil: number | undefined) {
  const { name, url, topic, filter, state, place, position, delivered, attempts } = row;
  const time = (ms: number) => (ms === 0 ? undefined : ms);
  return {
    ...{ name, url, topic, ...(readJson(filter) as EventFilter), state, offsetId: place },
    ...{ lag: Math.max(0, newest - position), keptUntil, delivered, deliveredAt: time(row.delivered_at) },
    ...{ attempts, failingSince: time(row.failing_since), nextAttempt: time(row.next_attempt) },
    lastError: row.last_error || undefined,
  };
}
