import { parseArgs } from 'node:util';
import { asJson, UsageError, type Command, type Terminal } from './command.js';
import { SERVICE_OPTIONS, SERVICE_USAGE, ServiceClient } from './service-client.js';

interface ListedJob {
  queue: string;
  id: string;
  state: string;
  attempts: number;
  runAt?: number;
  error?: string;
  urn?: string;
}

interface Listing {
  queues: Record<string, Record<string, number>>;
  jobs: ListedJob[];
}

/** Lists background jobs, and puts failed ones back. */
export const jobs: Command = {
  usage: `Usage: npm run catalog -- jobs list [--queue <name>] [--state <state>] [--count 100] [--json]
       npm run catalog -- jobs retry [--queue <name>] [--json]
       npm run catalog -- jobs drop --queue <name> [--json]

list   shows how many jobs of each queue are in which state, and the jobs that failed, wait for another attempt, or
       belong to a process that fell silent
retry  puts failed and suspended jobs back, to be run at once
drop   drops the changes that wait for a consumer which this version of the service does not have

  --queue  only jobs of this queue
  --state  only jobs in this state: waiting, active, delayed, failed, stalled
  --count  most jobs to list of each queue (default 100)
  --json   print what the service answers
${SERVICE_USAGE}`,

  async run(words, terminal) {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        ...SERVICE_OPTIONS,
        queue: { type: 'string' },
        state: { type: 'string' },
        count: { type: 'string', default: '100' },
        json: { type: 'boolean', default: false },
      },
    });
    const [verb, ...more] = positionals;
    if ((verb !== 'list' && verb !== 'retry' && verb !== 'drop') || more.length > 0)
      throw new UsageError('say "list", "retry" or "drop"');
    if (verb === 'drop' && values.queue === undefined)
      throw new UsageError('say with --queue whose deliveries are dropped');
    if (!/^\d{1,4}$/.test(values.count)) throw new UsageError('--count must be a whole number');
    const { queue, state } = values;
    const of = queue === undefined ? {} : { queue };
    const client = await ServiceClient.from(values);
    if (verb === 'retry') {
      const { retried } = await client.operation<{ retried: number }>('retryJobs', of);
      terminal.out(values.json ? asJson({ retried }) : `${retried} jobs are put back`);
      return 0;
    }
    if (verb === 'drop') {
      const { dropped } = await client.operation<{ dropped: number }>('dropDeliveries', { consumer: queue });
      terminal.out(values.json ? asJson({ dropped }) : `${dropped} deliveries are dropped`);
      return 0;
    }
    const count = Number(values.count);
    const asked = { ...of, ...(state !== undefined && { state }), count };
    const listing = await client.operation<Listing>('listJobs', asked);
    if (values.json) terminal.out(asJson(listing));
    else show(listing, terminal);
    return 0;
  },
};

function show({ queues, jobs: listed }: Listing, terminal: Terminal): void {
  for (const [name, counts] of Object.entries(queues)) {
    const shown = Object.entries(counts).filter(([, count]) => count > 0);
    const said = shown.map(([state, count]) => `${count} ${state}`).join(', ') || 'no jobs';
    terminal.out(`${name}: ${said}`);
  }
  for (const { queue, id, state, attempts, runAt, error, urn } of listed) {
    const when = runAt === undefined ? '' : `, again at ${new Date(runAt).toISOString()}`;
    const of = urn === undefined ? '' : ` (${urn})`;
    terminal.out(`${queue} ${id}${of}: ${state} after ${attempts} attempts${when}`);
    if (error !== undefined) terminal.out(`  ${error}`);
  }
}
