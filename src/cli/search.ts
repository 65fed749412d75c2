import { parseArgs } from 'node:util';
import { asJson, UsageError, type Command } from './command.js';
import { SERVICE_OPTIONS, SERVICE_USAGE, ServiceClient } from './service-client.js';

interface Result {
  entities: Array<string | { entity: string }>;
  numEntities: number;
}

/** Searches a running service. */
export const search: Command = {
  usage: `Usage: npm run catalog -- search <words> [--entity <type>]... [--filter <field>=<value>]... [--count 10] [--json]

Prints the URNs of what is found, best first, and how many there are in all.

  --entity  only entities of this type, such as dataset; may be repeated. Without it, types that are rarely looked for, such as
            dataHubPolicy and dataPlatform, are left out
  --filter  only entities with this value, such as platform=snowflake; may be repeated, all must hold
  --count   URNs to print (default 10)
  --json    print what the service answers
${SERVICE_USAGE}`,

  async run(words, terminal) {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        ...SERVICE_OPTIONS,
        entity: { type: 'string', multiple: true, default: [] },
        filter: { type: 'string', multiple: true, default: [] },
        count: { type: 'string', default: '10' },
        json: { type: 'boolean', default: false },
      },
    });
    if (!/^\d{1,5}$/.test(values.count)) throw new UsageError('--count must be a whole number');
    const and = values.filter.map(criterion);
    const client = await ServiceClient.from(values);
    const result = await client.action<Result>('entities', 'searchAcrossEntities', {
      entities: values.entity,
      input: positionals.join(' ') || '*',
      start: 0,
      count: Number(values.count),
      ...(and.length > 0 && { filter: { or: [{ and }] } }),
    });
    if (values.json) terminal.out(asJson(result));
    else for (const hit of result.entities) terminal.out(typeof hit === 'string' ? hit : hit.entity);
    terminal.err(`${result.entities.length} of ${result.numEntities}`);
    return 0;
  },
};

function criterion(text: string): { field: string; condition: 'EQUAL'; values: string[] } {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--filter ${JSON.stringify(text)} must be <field>=<value>`);
  return { field: text.slice(0, at), condition: 'EQUAL', values: [text.slice(at + 1)] };
}
