import { Inject, Injectable, Logger, Optional, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { CatalogError, LoggedError } from '../../catalog/errors/index.js';
import { HealthPart } from '../../catalog/extension/health-part.js';
import { Database } from '../../catalog/store/index.js';
import { discovered } from '../entities/index.js';
import { HEALTH_PARTS } from './health-part.js';
import { Readiness } from './readiness.js';

/** A part that takes longer than this is as good as unavailable. */
const LIMIT_MS = 2000;
/** Any client may ask, as often as it likes; the parts are asked at most this often. */
const KEEP_MS = 1000;

interface PartHealth {
  name: string;
  status: 'UP' | 'DEGRADED' | 'DOWN';
  required: boolean;
  milliseconds: number;
  /** Why it does not work, or in part only. */
  reason?: string;
  /** Numbers of the part, where it has some. */
  details?: object;
}

export interface Health {
  status: 'UP' | 'DEGRADED' | 'DOWN' | 'STARTING' | 'STOPPING';
  ready: boolean;
  parts: PartHealth[];
}

/** Asks everything that the service depends on how it is. */
@Injectable()
export class HealthService implements OnModuleInit {
  private readonly logger = new Logger(HealthService.name);
  private parts: readonly HealthPart[];
  /** Parts that are in the log as not working. */
  private readonly failing = new Set<string>();
  private last: { at: number; parts: Promise<PartHealth[]> } | undefined;

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Readiness) private readonly readiness: Readiness,
    private readonly discovery: DiscoveryService,
    @Optional() @Inject(HEALTH_PARTS) others: readonly HealthPart[] | undefined,
  ) {
    const store: HealthPart = {
      name: 'database',
      required: true,
      check: async () => void (await database.all('SELECT 1 AS one')),
      trouble: () => database.trouble(),
    };
    this.parts = [store, ...(others ?? [])];
  }

  onModuleInit(): void {
    this.parts = [...this.parts, ...discovered(this.discovery, HealthPart)];
  }

  async health(): Promise<Health> {
    const parts = await this.checkParts();
    const bad = parts.filter(({ status }) => status !== 'UP');
    const { state } = this.readiness;
    const ready = state === 'started' && !bad.some((part) => part.required && part.status === 'DOWN');
    if (state === 'starting') return { status: 'STARTING', ready, parts };
    if (state === 'stopping') return { status: 'STOPPING', ready, parts };
    return { status: bad.length === 0 ? 'UP' : ready ? 'DEGRADED' : 'DOWN', ready, parts };
  }

  private checkParts(): Promise<PartHealth[]> {
    const now = performance.now();
    if (this.last === undefined || now - this.last.at >= KEEP_MS) {
      this.last = { at: now, parts: Promise.all(this.parts.map((part) => this.check(part))) };
    }
    return this.last.parts;
  }

  private async check(part: HealthPart): Promise<PartHealth> {
    const { name, required } = part;
    const start = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${LIMIT_MS} ms`)), LIMIT_MS);
    });
    let status: PartHealth['status'] = 'UP';
    let found: unknown;
    let reason: string | undefined;
    try {
      const asked = this.database.forHealth(
        async () => [await part.check(), await part.trouble?.()] as const,
      );
      [found, reason] = await Promise.race([asked, limit]);
      if (reason !== undefined) status = 'DEGRADED';
      if (this.failing.delete(name)) this.logger.warn(`${name} works again`);
    } catch (error) {
      status = 'DOWN';
      if (error instanceof CatalogError) reason = error.message;
      this.failed(name, error);
    } finally {
      clearTimeout(timer);
    }
    const milliseconds = Math.round(performance.now() - start);
    const details = typeof found === 'object' && found !== null ? { details: found } : {};
    return { name, status, required, milliseconds, ...(reason !== undefined && { reason }), ...details };
  }

  /** Logs a part that does not work once, until it works again: probes ask every few seconds. */
  private failed(name: string, error: unknown): void {
    if (this.failing.has(name) || error instanceof LoggedError) return;
    this.failing.add(name);
    this.logger.warn(`${name} does not work: ${error instanceof Error ? error.message : String(error)}`);
  }
}
