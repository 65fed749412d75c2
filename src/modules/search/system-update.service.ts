import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { CatalogError } from '../../catalog/errors/index.js';
import { SystemUpdateStep } from '../../catalog/extension/index.js';
import { SearchIndex } from '../../catalog/search/index.js';
import { discovered } from '../entities/index.js';
import { RebuildService } from './rebuild.service.js';

/** How often to look whether another process has finished the building. */
const BUSY_PAUSE_MS = 2_000;

interface SystemUpdateInput {
  /** Build the search index anew. */
  reindex: boolean;
  /** Carry out the steps of the modules. */
  steps: boolean;
}

interface SystemUpdateProgress {
  running: boolean;
  /** What was reported from the line asked for on, and the number of the next one. */
  lines: string[];
  next: number;
  /** Why the last update failed. */
  failed?: string;
}

/** Brings what depends on the version and the settings of the service up to date, while it serves. */
@Injectable()
export class SystemUpdateService implements OnModuleInit {
  private readonly logger = new Logger(SystemUpdateService.name);
  private steps: SystemUpdateStep[] = [];
  private lines: string[] = [];
  private running = false;
  private failed: string | undefined;

  constructor(
    private readonly index: SearchIndex,
    private readonly rebuilder: RebuildService,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    this.steps = discovered(this.discovery, SystemUpdateStep);
  }

  /** Begins an update; when one runs already, it goes on and nothing else begins. @throws CatalogError NOT_ALLOWED */
  start(principal: Principal, input: SystemUpdateInput): { started: boolean } {
    authorize(principal, 'manage');
    if (this.running) return { started: false };
    this.running = true;
    this.lines = [];
    this.failed = undefined;
    void this.run(input);
    return { started: true };
  }

  /** @throws CatalogError NOT_ALLOWED */
  progress(principal: Principal, from: number): SystemUpdateProgress {
    authorize(principal, 'manage');
    return {
      running: this.running,
      lines: this.lines.slice(from),
      next: this.lines.length,
      ...(this.failed !== undefined && { failed: this.failed }),
    };
  }

  private async run({ reindex, steps }: SystemUpdateInput): Promise<void> {
    try {
      if (steps) {
        for (const step of this.steps) await step.run((line) => this.report(`${step.name}: ${line}`));
      }
      if (reindex) await this.reindex();
      this.report('done');
    } catch (error) {
      this.logger.error(error);
      this.failed =
        error instanceof CatalogError ? error.message : 'an error that is in the log of the service';
    } finally {
      this.running = false;
    }
  }

  private async reindex(): Promise<void> {
    const report = (line: string) => this.report(`search index: ${line}`);
    const rebuild = await this.index.startRebuild();
    for (let said = false; ; said = true) {
      const result = await this.rebuilder.run(rebuild, report);
      if (result === 'done') return report('built by another process');
      if (typeof result === 'number') return report(`searches use the new one, ${result} entities written`);
      if (!said) report('another process is building it');
      await sleep(BUSY_PAUSE_MS);
    }
  }

  private report(line: string): void {
    this.lines.push(line);
    this.logger.log(line);
  }
}
