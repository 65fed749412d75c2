import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readConfiguration } from '../config/configuration.js';
import { VARIABLES } from '../config/variables.js';
import { asJson, type Command } from './command.js';
import { SERVICE_OPTIONS, SERVICE_USAGE, ServiceClient } from './service-client.js';

const POLL_MS = 500;
/** After so many polls it is worth a line that no process has begun. */
const PATIENT_POLLS = 10;

interface Progress {
  running: boolean;
  state: string;
  lines: string[];
  next: number;
  failed?: string;
}

const { mappingsReindex, structuredPropertiesUpdate } = VARIABLES;

/** Has a running service bring itself up to date. What to do is said in the environment, as in a job's definition. */
export const systemUpdate: Command = {
  usage: `Usage: npm run system-update -- [--json] [--server <url>] [--token <token>]

Has a running service bring itself up to date while it serves. What to do is said by variables:

  ${structuredPropertiesUpdate.name}=true
      finish what the deletion of structured properties left to do
  ${mappingsReindex.name}=true
      build the search index anew beside the one in use, and change over when it is complete

A process that takes background jobs carries it out; an update that was interrupted goes on in the next one.

  --json    print how it ended as JSON
${SERVICE_USAGE}`,

  async run(words, terminal) {
    const { values } = parseArgs({
      args: [...words],
      options: { ...SERVICE_OPTIONS, json: { type: 'boolean', default: false } },
    });
    const said: string[] = [];
    const end = (started: boolean, code: number, failed?: string): number => {
      if (values.json)
        terminal.out(asJson({ started, lines: said, ...(failed !== undefined && { failed }) }));
      return code;
    };
    const { mappingsReindex: reindex, structuredPropertiesUpdate: properties } = readConfiguration();
    if (!reindex && !properties) {
      terminal.err(
        `nothing to do: neither ${mappingsReindex.name} nor ${structuredPropertiesUpdate.name} is true`,
      );
      return end(false, 0);
    }
    const client = await ServiceClient.from(values);
    const { started } = await client.operation<{ started: boolean }>('systemUpdate', {
      mappingsReindex: reindex,
      structuredProperties: properties,
    });
    if (!started) terminal.err('an update is running already');
    for (let from = 0, polls = 1; ; polls++) {
      const { running, state, lines, next, failed } = await client.operation<Progress>(
        'systemUpdateProgress',
        {
          from,
        },
      );
      for (const line of lines) terminal.err(line);
      said.push(...lines);
      from = next;
      if (failed !== undefined) {
        terminal.err(`the update failed: ${failed}`);
        return end(started, 1, failed);
      }
      if (!running) return end(started, started ? 0 : 1);
      if (state === 'waiting' && polls === PATIENT_POLLS)
        terminal.err('waiting for a process that takes background jobs');
      await sleep(POLL_MS);
    }
  },
};
