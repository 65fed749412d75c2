import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ElasticError, type ElasticClient } from './elastic-client.js';
import { IndexNames } from './index-layout.js';
import { createStateIndex } from './index-state.js';

/** How long the indices belong to a catalog of which no process says that it runs. */
const LEASE_MS = 15_000;
const LOOK_AGAIN_MS = 500;
/** A start does not wait for a server that says nothing. */
const ANSWER_MS = 5_000;

interface Lease {
  /** The identity of its database. */
  catalog: string;
  /**
   * Its processes, each with what it says anew every few seconds: until when it holds the indices (milliseconds since 1970 on
   * its own clock). Others only look whether that changes: their clocks may differ.
   */
  processes: Record<string, number>;
}

interface Stored {
  lease: Lease;
  /** Conditions of a write that must not meet another one. */
  place: { if_seq_no: number; if_primary_term: number };
}

interface Written {
  _seq_no: number;
  _primary_term: number;
}

interface GetAnswer extends Written {
  found: boolean;
  _source: { owner: string };
}

/**
 * Says in the cluster which catalog the indices belong to, for as long as one of its processes runs. Two catalogs with the
 * same indices would each build them anew from its own database, again and again.
 */
export class IndexOwner {
  private readonly names: IndexNames;
  private readonly process = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private renewing: Promise<void> | undefined;
  /** Whether another catalog has the indices. */
  private lost = false;
  /** What this process wrote last, if no other one of its catalog ran then: a write tells whether it still stands there. */
  private written: Stored | undefined;
  /** What was last seen of each holder, and since when it has been that. */
  private readonly seen = new Map<string, { said: string; since: number }>();

  private constructor(
    private readonly client: ElasticClient,
    prefix: string,
    private readonly catalog: string,
    private readonly refused: () => Error,
    private readonly leaseMs: number,
  ) {
    this.names = new IndexNames(prefix);
  }

  /**
   * Takes the index for a catalog. If the processes of another catalog died, it waits until their lease ends. A
   * server that is unavailable is asked again later.
   * @param client is closed with the owner
   * @param catalog the identity of its database, which it keeps when it is put back to an earlier state
   * @throws what `refused` makes, when processes of another catalog run
   */
  static async take(
    client: ElasticClient,
    prefix: string,
    catalog: string,
    refused: () => Error,
    leaseMs = LEASE_MS,
  ): Promise<IndexOwner> {
    const owner = new IndexOwner(client, prefix, catalog, refused, leaseMs);
    let seen: string | undefined;
    for (let rival = await owner.say(true); rival !== undefined; rival = await owner.say(true)) {
      // It has said again that it runs.
      if (seen !== undefined && rival !== seen) {
        await client.close();
        throw refused();
      }
      seen = rival;
      await sleep(Math.min(LOOK_AGAIN_MS, leaseMs / 4));
    }
    // A server that is slow to answer is not asked again meanwhile.
    owner.timer = setInterval(() => {
      owner.renewing ??= owner.renew().finally(() => (owner.renewing = undefined));
    }, leaseMs / 4).unref();
    return owner;
  }

  /** @throws what `refused` makes, when another catalog has the indices by now: this one did not run for a while */
  check(): void {
    if (this.lost) throw this.refused();
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    await this.renewing;
    await withinMs(this.leave(), ANSWER_MS).catch(() => undefined);
    await this.client.close();
  }

  private async renew(): Promise<void> {
    this.lost = (await this.say(false)) !== undefined;
  }

  /** What another catalog said last that has the indices; undefined: they belong to this one, or the server does not say. */
  private say(first: boolean): Promise<string | undefined> {
    return withinMs(this.enter(first), ANSWER_MS).catch(() => undefined);
  }

  private async enter(first: boolean): Promise<string | undefined> {
    // A write would make an index that was removed anew, with mappings of the engine's own.
    if (first) await createStateIndex(this.client, this.names);
    else if (!(await this.client.find({ method: 'HEAD', path: `/${this.names.state}` }))) return undefined;
    const known = this.written ?? (await this.get());
    this.written = undefined;
    const held = Object.entries(known?.lease.processes ?? {});
    const own = known?.lease.catalog === this.catalog;
    if (known && !own && held.length > 0) {
      const said = `${known.place.if_seq_no} ${known.place.if_primary_term}`;
      if (this.isAlive(known.lease.catalog, said)) return said;
    }
    const others = own
      ? held.filter(([process, until]) => process !== this.process && this.isAlive(process, String(until)))
      : [];
    const processes = { ...Object.fromEntries(others), [this.process]: Date.now() + this.leaseMs };
    const lease = { catalog: this.catalog, processes };
    const place = await this.put(lease, known);
    // Another process was faster, of this catalog or of another one.
    if (!place) return this.enter(false);
    if (others.length === 0) this.written = { lease, place };
    return undefined;
  }

  /** Whether a holder has said something else within the time of a lease, as far as this process has looked. */
  private isAlive(holder: string, said: string): boolean {
    const before = this.seen.get(holder);
    if (before?.said === said) return performance.now() - before.since < this.leaseMs;
    this.seen.set(holder, { said, since: performance.now() });
    return true;
  }

  /** What other processes of this catalog hold stays theirs. */
  private async leave(): Promise<void> {
    const known = await this.get();
    if (known?.lease.processes[this.process] === undefined) return;
    const { [this.process]: _, ...processes } = known.lease.processes;
    if (!(await this.put({ ...known.lease, processes }, known))) await this.leave();
  }

  private async get(): Promise<Stored | undefined> {
    const answer = await this.client.find<GetAnswer>({ method: 'GET', path: this.path });
    if (!answer?.found) return undefined;
    return { lease: JSON.parse(answer._source.owner) as Lease, place: placeOf(answer) };
  }

  /** The conditions of the next write; undefined when another process wrote meanwhile. */
  private async put(lease: Lease, known: Stored | undefined): Promise<Stored['place'] | undefined> {
    try {
      const answer = await this.client.request<Written>({
        method: 'PUT',
        path: this.path,
        query: known?.place ?? { op_type: 'create' },
        body: { owner: JSON.stringify(lease) },
      });
      return placeOf(answer);
    } catch (error) {
      if (error instanceof ElasticError && error.status === 409) return undefined;
      throw error;
    }
  }

  private get path(): string {
    return `/${this.names.state}/_doc/owner`;
  }
}

function placeOf({ _seq_no, _primary_term }: Written): Stored['place'] {
  return { if_seq_no: _seq_no, if_primary_term: _primary_term };
}

async function withinMs<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  work.catch(() => undefined);
  return Promise.race([work, sleep(ms, undefined, { ref: false })]);
}
