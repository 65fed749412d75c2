#!/usr/bin/env node
/**
 * Kills every part of a running catalog under load, one after the other, and looks afterwards whether anything that
 * was acknowledged is missing. `--help` says how to run it.
 */
import { parseArgs } from 'node:util';
import { Load } from './kill/load.mjs';
import { Report } from './kill/report.mjs';
import { Servers } from './kill/servers.mjs';
import { Services } from './kill/services.mjs';
import { findings } from './kill/check.mjs';
import { limited, until } from './kill/wait.mjs';

const USAGE = `Usage: npm run build && node test/stack/kill-everything.mjs [options]

Starts two api and two worker processes of the build on a database, Redis and a search engine, writes, patches,
deletes and searches through them, and ends each of them with kill -9 while that goes on: api, worker, database, Redis,
search engine; Redis is also wiped while it runs. Then every acknowledged write is looked up in the store and in the index, and the two are compared.
The exit code is 0 when nothing is missing and every part came back.

  --stack DIR      folder of scripts that start servers (mariadb, mysql, redis, search-engine), each with the commands
                   "start --port N" (prints the address), "status --port N" (prints "pid N") and "stop --port N".
                   Default: CATALOG_STACK, or ../shared/stack
  --servers LIST   which of them to start and to kill, out of mariadb, mysql, redis, search-engine.
                   Default: mariadb,redis,search-engine. "none" starts none.
  --rounds N       how often each part is killed (default 1)
  --clients N      clients that write at the same time (default 6)
  --down S         seconds that a server stays away (default 3)
  --limit S        seconds after which the run has failed, whatever it does (default 1200)
  --keep           leave logs and data where they are

Servers of your own are used, and never killed, when their addresses are given: STACK_DATABASE_URL (an empty
database), STACK_REDIS_URL, STACK_SEARCH_URL. Without a database or a search engine that processes can share, one
process does everything, on files.`;

const { values } = parseArgs({
  options: {
    stack: { type: 'string', default: process.env.CATALOG_STACK ?? '../shared/stack' },
    servers: { type: 'string', default: 'mariadb,redis,search-engine' },
    rounds: { type: 'string', default: '1' },
    clients: { type: 'string', default: '6' },
    down: { type: 'string', default: '3' },
    limit: { type: 'string', default: '1200' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

/** Acknowledged writes to see before and after each kill. */
const CALM = 60;
/** How long a part may take to come back, and everything to be caught up. */
const PATIENCE_MS = 180_000;

const report = new Report();
const servers = new Servers(values.stack, values.servers === 'none' ? [] : values.servers.split(','));
const services = new Services();
let load;
let failed = true;

try {
  await limited(everything(), Number(values.limit) * 1000);
} catch (error) {
  report.fail(error, services.lastWords());
} finally {
  load?.abandon();
  await services.stop();
  await servers.stop({ keep: values.keep || failed });
  if (values.keep || failed) report.say(`logs and data: ${servers.folder}`);
}
process.exit(failed ? 1 : 0);

async function everything() {
  report.say('starting the servers');
  const addresses = await servers.start();
  report.say(`starting the catalog on ${Object.keys(addresses).join(', ') || 'files'}`);
  await services.start(addresses, servers.folder);
  load = new Load(services.apis, Number(values.clients));
  load.start();
  await load.acknowledgeMore(CALM, PATIENCE_MS);

  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const victim of [...services.victims(), ...servers.victims()]) {
      report.say(`round ${round}: kill -9 ${victim.name}`);
      const before = load.counts();
      const killed = performance.now();
      await victim.kill();
      await new Promise((resolve) => setTimeout(resolve, Number(values.down) * 1000));
      const meanwhile = load.counts();
      await victim.restart();
      const back = performance.now();
      await load.acknowledgeMore(CALM, PATIENCE_MS);
      await until(
        () => services.caughtUp(load),
        PATIENCE_MS,
        `the consumers after the death of ${victim.name}`,
      );
      report.add({
        round,
        killed: victim.name,
        'acknowledged while away': meanwhile.acknowledged - before.acknowledged,
        'retried by clients': load.counts().retried - before.retried,
        'back after s': ((back - killed) / 1000).toFixed(1),
        'caught up after s': ((performance.now() - killed) / 1000).toFixed(1),
      });
    }
  }
  report.say('looking for what was acknowledged');
  await load.stop();
  const found = await findings(services, load);
  report.conclude(load.counts(), found);
  failed = found.length > 0;
}
