import { parseArgs } from 'node:util';
import { tryParseUrn } from '../catalog/urn/index.js';
import { asJson, UsageError, type Command } from './command.js';
import { SERVICE_OPTIONS, SERVICE_USAGE, ServiceClient } from './service-client.js';

/** Prints an entity of a running service. */
export const get: Command = {
  usage: `Usage: npm run catalog -- get <urn> [--aspect <name>]... [--system-metadata] [--json]

Prints an entity with its aspects as JSON.

  --aspect           only this aspect; may be repeated
  --system-metadata  with the system metadata and the audit stamp of each aspect
  --json             changes nothing: an entity is printed as JSON in any case
${SERVICE_USAGE}`,

  async run(words, terminal) {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        ...SERVICE_OPTIONS,
        aspect: { type: 'string', multiple: true, default: [] },
        'system-metadata': { type: 'boolean', default: false },
        json: { type: 'boolean' },
      },
    });
    const [urn, ...more] = positionals;
    const parsed = urn === undefined ? undefined : tryParseUrn(urn);
    if (parsed === undefined || more.length > 0) throw new UsageError('give one URN');
    const client = await ServiceClient.from(values);
    const query = new URLSearchParams(values.aspect.map((name): [string, string] => ['aspects', name]));
    if (values['system-metadata']) query.set('systemMetadata', 'true');
    const asked = query.size > 0 ? `?${query.toString()}` : '';
    const path = `/openapi/v3/entity/${parsed.type}/${encodeURIComponent(parsed.text)}${asked}`;
    terminal.out(asJson(await client.call<object>(path)));
    return 0;
  },
};
