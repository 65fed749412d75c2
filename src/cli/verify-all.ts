import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkCopy } from '../adapters/database/index.js';
import { DATABASE } from '../backing/backup-manifest.js';
import { readConfiguration } from '../config/configuration.js';
import { asJson, type Terminal } from './command.js';
import { ServiceError, type ServiceClient } from './service-client.js';

/** What one part of the catalog was found to be. */
interface Verdict {
  part: 'health' | 'store' | 'index' | 'queue' | 'audit' | 'files';
  sound: boolean;
  /** In one line. */
  said: string;
  /** What is wrong, the first ones. */
  faults: string[];
}

type Checked = Omit<Verdict, 'part'>;

interface Health {
  status: string;
  parts: Array<{ name: string; status: string; reason?: string }>;
}

interface StoreSlice {
  entities: number;
  aspects: number;
  relationships: number;
  history: number;
  events: number;
  faultCount: number;
  faults: Array<{ kind: string; entity: string; aspect: string; reason: string }>;
  next?: string;
}

interface IndexReport {
  documents: number;
  remaining: number;
  differences: Record<string, { count: number; urns: string[] }>;
  dangling: { count: number };
}

interface Jobs {
  queues: Record<string, Record<string, number>>;
  jobs: Array<{ queue: string; id: string; error?: string }>;
}

interface AuditReport {
  records: number;
  faultCount: number;
  faults: Array<{ kind: string; chain: string; from: number; to: number }>;
}

/**
 * Checks all parts of a running catalog, one after the other; a part that cannot be checked is not sound.
 * @param limit faults to name of each part
 * @returns the exit code
 * @throws ServiceError when the service cannot be reached, or does not let the caller in
 */
export async function verifyAll(
  client: ServiceClient,
  { limit, json }: { limit: number; json: boolean },
  terminal: Terminal,
): Promise<number> {
  const verdicts: Verdict[] = [];
  const check = async (part: Verdict['part'], work: () => Promise<Checked | undefined>): Promise<void> => {
    terminal.err(`checking: ${part}`);
    const found = await work().catch(cannotBeChecked);
    if (found === undefined) return;
    const verdict = { part, ...found };
    verdicts.push(verdict);
    if (!json) show(verdict, terminal);
  };
  await check('health', () => health(client));
  await check('store', () => store(client, limit, terminal));
  await check('index', () => index(client, limit));
  await check('queue', () => queue(client, limit));
  await check('audit', () => audit(client, limit));
  await check('files', async () => files(client, terminal));
  const faulty = verdicts.filter(({ sound }) => !sound).map(({ part }) => part);
  const sound = faulty.length === 0;
  if (json) terminal.out(asJson({ sound, parts: verdicts }));
  else terminal.out(sound ? 'the catalog is sound' : `the catalog is not sound: ${faulty.join(', ')}`);
  return sound ? 0 : 1;
}

function cannotBeChecked(error: unknown): Checked {
  // A caller that the service does not let in needs no list of what could not be checked.
  const status = error instanceof ServiceError ? error.status : undefined;
  if (!(error instanceof ServiceError) || status === undefined || status === 401 || status === 403)
    throw error;
  return { sound: false, said: 'could not be checked', faults: [error.message] };
}

async function health(client: ServiceClient): Promise<Checked> {
  const { status, parts } = await client.call<Health>('/health');
  const bad = parts.filter((part) => part.status !== 'UP');
  return {
    sound: status === 'UP',
    said: status,
    faults: bad.map(({ name, status: of, reason }) => `${name} is ${of}${reason ? `: ${reason}` : ''}`),
  };
}

/** Slice by slice: each answer comes within seconds, however large the store is. */
async function store(client: ServiceClient, limit: number, terminal: Terminal): Promise<Checked> {
  const sum = { entities: 0, aspects: 0, relationships: 0, history: 0, events: 0 };
  const faults: string[] = [];
  let count = 0;
  for (let from: string | undefined; ;) {
    const asked = { limit: Math.max(limit - faults.length, 0), ...(from !== undefined && { from }) };
    const slice = await client.operation<StoreSlice>('verifyStore', asked);
    for (const name of Object.keys(sum) as Array<keyof typeof sum>) sum[name] += slice[name];
    for (const { entity, aspect, reason } of slice.faults) faults.push(`${aspect} of ${entity}: ${reason}`);
    count += slice.faultCount;
    from = slice.next;
    if (from === undefined) break;
    terminal.err(`${sum.entities} entities, ${sum.history + sum.events} older values and events so far`);
  }
  const { entities, aspects, relationships, history, events } = sum;
  const said = `${entities} entities, ${aspects} aspects, ${relationships} relationships, ${history} older versions, ${events} events`;
  return { sound: count === 0, said, faults: named(faults, count) };
}

async function index(client: ServiceClient, limit: number): Promise<Checked> {
  const report = await client.operation<IndexReport>('verify', { repair: false, limit });
  const urns = Object.entries(report.differences).flatMap(([kind, found]) =>
    found.urns.map((urn) => `${kind}: ${urn}`),
  );
  const open = report.dangling.count;
  // A reference may be written before what it names: it is told, and is no fault.
  const said = `${report.documents} documents${open > 0 ? `, ${open} references to what does not exist` : ''}`;
  const faults = named(urns.slice(0, limit), report.remaining);
  return { sound: report.remaining === 0, said, faults };
}

async function queue(client: ServiceClient, limit: number): Promise<Checked> {
  const { queues, jobs } = await client.operation<Jobs>('listJobs', {
    state: 'failed',
    count: Math.min(Math.max(limit, 1), 1_000),
  });
  const failed = total(queues, 'failed');
  const lines = jobs
    .slice(0, limit)
    .map(({ queue: name, id, error }) => `${name} ${id}: ${error ?? 'failed'}`);
  const said = `${total(queues, 'waiting') + total(queues, 'active') + total(queues, 'delayed')} jobs to do, ${failed} failed`;
  return { sound: failed === 0, said, faults: named(lines, failed) };
}

function total(queues: Jobs['queues'], state: string): number {
  return Object.values(queues).reduce((sum, counts) => sum + (counts[state] ?? 0), 0);
}

async function audit(client: ServiceClient, limit: number): Promise<Checked> {
  const { records, faultCount, faults } = await client.operation<AuditReport>('verifyAudit', {});
  const lines = faults.map(
    ({ kind, chain, from, to }) => `${kind}: records ${from} to ${to} of chain ${chain}`,
  );
  const said = `${records} records`;
  return { sound: faultCount === 0, said, faults: named(lines.slice(0, limit), faultCount) };
}

/** The database file, where the service is on this machine and has one: read through by this process, not by the service. */
function files(client: ServiceClient, terminal: Terminal): Checked | undefined {
  const { home, databaseUrl } = readConfiguration();
  const file = join(home, DATABASE);
  if (databaseUrl !== undefined || !client.isLocal || !existsSync(file)) return undefined;
  terminal.yieldCpu?.();
  try {
    checkCopy(file);
    return { sound: true, said: `${file} is whole`, faults: [] };
  } catch (error) {
    return { sound: false, said: file, faults: [(error as Error).message] };
  }
}

function named(lines: readonly string[], count: number): string[] {
  return lines.length < count ? [...lines, `and ${count - lines.length} more`] : [...lines];
}

function show({ part, sound, said, faults }: Verdict, terminal: Terminal): void {
  terminal.out(`${part}: ${sound ? 'sound' : 'NOT SOUND'}, ${said}`);
  for (const fault of faults) terminal.out(`  ${fault}`);
}
