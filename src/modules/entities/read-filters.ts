import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { AspectReadFilter } from '../../catalog/extension/index.js';
import { readJson } from '../../catalog/json/index.js';
import { discovered } from './discovered.js';
import type { StoredAspect } from './store/stored-entity.js';

/** One aspect about to be shown; `set` replaces it, or hides it with undefined. */
export interface ShownAspect {
  readonly urn: string;
  readonly aspect: StoredAspect;
  set(aspect: StoredAspect | undefined): void;
}

/** Applies the read filters of all modules. The one place where they are called. */
@Injectable()
export class ReadFilters implements OnModuleInit {
  private readonly byAspect = new Map<string, AspectReadFilter[]>();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const filter of discovered(this.discovery, AspectReadFilter)) this.add(filter);
  }

  add(filter: AspectReadFilter): void {
    for (const aspect of filter.aspects)
      this.byAspect.set(aspect, [...(this.byAspect.get(aspect) ?? []), filter]);
  }

  /** Whether what is shown of an aspect depends on more than its value. */
  concern(aspect: string): boolean {
    return this.byAspect.has(aspect);
  }

  /** One stored value as callers may see it; undefined when it is hidden. */
  async shown(urn: string, aspect: StoredAspect): Promise<StoredAspect | undefined> {
    let shown: StoredAspect | undefined = aspect;
    await this.apply([{ urn, aspect, set: (next) => (shown = next) }]);
    return shown;
  }

  /** The parts of a stored value that are hidden for now, each as JSON text. */
  async hidden({ name, value }: StoredAspect): Promise<ReadonlySet<string>> {
    const parts = new Set<string>();
    for (const filter of this.byAspect.get(name) ?? []) {
      const hidden = (await filter.hidden?.(readJson(value) as Record<string, unknown>)) ?? [];
      for (const part of hidden) parts.add(JSON.stringify(part));
    }
    return parts;
  }

  /** Aspects that no filter knows stay unparsed; each filter is called once, with all values of its aspect. */
  async apply(aspects: Iterable<ShownAspect>): Promise<void> {
    if (this.byAspect.size === 0) return;
    const touched = new Map<string, ShownAspect[]>();
    for (const shown of aspects) {
      if (!this.byAspect.has(shown.aspect.name)) continue;
      const group = touched.get(shown.aspect.name);
      if (group) group.push(shown);
      else touched.set(shown.aspect.name, [shown]);
    }
    for (const [name, group] of touched) await this.filter(name, group);
  }

  private async filter(name: string, group: readonly ShownAspect[]): Promise<void> {
    let open = group.map((shown) => {
      const value = readJson(shown.aspect.value) as Record<string, unknown>;
      return { shown, original: value, value };
    });
    for (const filter of this.byAspect.get(name) ?? []) {
      const shownValues = await filter.filter(open.map(({ shown, value }) => ({ urn: shown.urn, value })));
      open = open.flatMap((entry, index) => {
        const value = shownValues[index];
        if (value !== undefined) return [{ ...entry, value }];
        entry.shown.set(undefined);
        return [];
      });
    }
    for (const { shown, original, value } of open) {
      // A filter may also change its argument in place, so only the text shows a change.
      const text = JSON.stringify(value);
      if (value !== original || text !== shown.aspect.value) shown.set({ ...shown.aspect, value: text });
    }
  }
}
