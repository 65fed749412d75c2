import { parseArgs } from 'node:util';
import { UsageError, type Command } from './command.js';
import { SERVICE_OPTIONS, SERVICE_USAGE, ServiceClient, ServiceError } from './service-client.js';

/** Entities in one request: few enough that progress shows, many enough that the calls do not. */
const STEP = 2000;

interface Report {
  matched: number;
  start: number;
  indexed: number;
}

/** Has a running service write entities to its search index anew. */
export const restoreIndices: Command = {
  usage: `Usage: npm run catalog -- restore-indices [--urn <urn> | --urn-like <pattern>] [--aspect <name>]
       [--json] [--server <url>] [--token <token>]

Writes entities to the search index anew while the service runs: all of them, or those that are named.

  --urn       this entity
  --urn-like  pattern of URNs as in SQL: % stands for any text
  --aspect    entities that have this aspect
  --json      print how many entities were indexed as JSON
${SERVICE_USAGE}`,

  async run(words, terminal) {
    const { values } = parseArgs({
      args: [...words],
      options: {
        ...SERVICE_OPTIONS,
        urn: { type: 'string' },
        'urn-like': { type: 'string' },
        aspect: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const { urn, 'urn-like': urnLike, aspect } = values;
    if (urn !== undefined && urnLike !== undefined)
      throw new UsageError('give --urn or --urn-like, not both');
    const client = await ServiceClient.from(values);
    const begin = performance.now();
    let done = 0;
    try {
      for (let matched = 1; done < matched;) {
        const answer = await client.operation<string>('restoreIndices', {
          ...(urn !== undefined && { urn }),
          ...(urnLike !== undefined && { urnLike }),
          ...(aspect !== undefined && { aspect }),
          start: done,
          limit: STEP,
        });
        const report = JSON.parse(answer) as Report;
        if (report.matched === 0 && done === 0) {
          terminal.err('nothing to restore: no entity matches');
          return 1;
        }
        if (done === 0) terminal.err(`${report.matched} entities match`);
        matched = report.matched;
        // Entities may have gone meanwhile, so that there are fewer than were counted.
        if (report.indexed === 0) break;
        done += report.indexed;
        if (matched > STEP)
          terminal.err(`${done} of ${matched} entities, ${Math.floor((done * 100) / matched)} %`);
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      terminal.err(error.message);
      return 1;
    }
    if (values.json) terminal.out(JSON.stringify({ indexed: done }));
    terminal.err(`${done} entities indexed in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
    return 0;
  },
};
