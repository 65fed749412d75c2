import { parseArgs } from 'node:util';
import { asJson, type Command } from './command.js';
import { SERVICE_OPTIONS, SERVICE_USAGE, ServiceClient } from './service-client.js';

interface Slice {
  history: number;
  events: number;
  aspects: Array<{ entityType: string; aspect: string; count: number }>;
  logs?: Record<string, number>;
  next?: string;
}

/** How people call the logs. */
const LOGS: Readonly<Record<string, string>> = { changeLog: 'change log', audit: 'audit log' };

/** Removes what retention no longer keeps, or counts it. */
export const retention: Command = {
  usage: `Usage: npm run catalog -- retention [--dry-run] [--json] [--server <url>] [--token <token>]

Removes earlier versions and events of time series that retention no longer keeps, while the service runs. It does the same by
itself every hour. Latest versions stay, and so do values that the change log still names. The change log and the audit log remove
their old entries by themselves; a dry run counts them.

  --dry-run  count what would go, and remove nothing
  --json     print the counts as JSON
${SERVICE_USAGE}`,

  async run(words, terminal) {
    const { values } = parseArgs({
      args: [...words],
      options: {
        ...SERVICE_OPTIONS,
        'dry-run': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const client = await ServiceClient.from(values);
    const dryRun = values['dry-run'];
    const sum = { history: 0, events: 0 };
    const aspects = new Map<string, Slice['aspects'][number]>();
    // Slice by slice: each answer comes within seconds, however large the store is.
    let logs: Slice['logs'];
    for (let from: string | undefined; ;) {
      const asked = { dryRun, ...(from !== undefined && { from }) };
      const slice = await client.operation<Slice>('applyRetention', asked);
      sum.history += slice.history;
      sum.events += slice.events;
      for (const found of slice.aspects) {
        const key = `${found.aspect} of ${found.entityType}`;
        aspects.set(key, { ...found, count: found.count + (aspects.get(key)?.count ?? 0) });
      }
      ({ next: from, logs } = slice);
      if (from === undefined) break;
      terminal.err(`${sum.history} earlier versions and ${sum.events} events so far`);
    }
    const said = `${sum.history} earlier versions and ${sum.events} events`;
    if (values.json) terminal.out(asJson({ ...sum, aspects: [...aspects.values()], ...(logs && { logs }) }));
    else {
      for (const [name, { count }] of aspects) terminal.out(`${name}: ${count}`);
      terminal.out(dryRun ? `${said} would be removed` : `${said} were removed`);
      for (const [log, count] of Object.entries(logs ?? {}))
        terminal.out(`${LOGS[log] ?? log}: ${count} entries`);
    }
    return 0;
  },
};
