#!/usr/bin/env node
/**
 * The fault matrix: harms every part of a running catalog under load, one fault after the other, and looks afterwards
 * whether what stands there is what was acknowledged. `--help` says how to run it, docs/faults.md what is promised.
 */
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findings } from './check.mjs';
import { faultsOf, mountDisk } from './faults.mjs';
import { Load } from './load.mjs';
import { randomOf, shuffled } from './random.mjs';
import { Report } from './report.mjs';
import { Servers } from './servers.mjs';
import { Services } from './services.mjs';
import { limited, until } from './wait.mjs';

const USAGE = `Usage: npm run test:faults -- [options]

Starts a catalog of the build and clients that write, patch, describe, delete and search on all its surfaces. While they
do, each part is harmed in turn: processes are killed and stopped, connections cut, closed, swallowed and delayed, disks
filled, data damaged, the log refused. After each fault the catalog must take writes again and catch up. In the end
every acknowledged write is looked up in the store, in its history and in the index, and store and index are compared.
The last line says how many cases passed and failed; the exit code is 0 when none failed.

  --profile NAME   embedded: one process on files. stack: two api and two worker processes on servers. both (default)
  --short          a part of the faults, for a run before each change: about one minute embedded, some on servers
  --only TEXT      only faults whose "part: fault" contains the text
  --seed TEXT      decides the order of the faults and what the clients do (default: a new one, which is printed)
  --rounds N       how often each fault happens (default 1)
  --clients N      clients that write at the same time (default 6)
  --down S         seconds that a fault lasts (default 3, short 1.5)
  --limit S        seconds after which a profile has failed, whatever it does (default 3600, short 2700)
  --keep           leave logs and data where they are
  --stack DIR      folder of scripts that start servers (mariadb, mysql, redis, search-engine), each with the commands
                   "start --port N" (prints the address), "status --port N" (prints "pid N") and "stop --port N".
                   Default: CATALOG_STACK, or ../shared/stack
  --servers LIST   which of them to start and to harm, out of mariadb, mysql, redis, search-engine.
                   Default: mariadb,redis,search-engine

Servers of your own are used, and not harmed, when their addresses are given: STACK_DATABASE_URL (an empty database),
STACK_REDIS_URL, STACK_SEARCH_URL.`;

const { values } = parseArgs({
  options: {
    profile: { type: 'string', default: 'both' },
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: Math.random().toString(36).slice(2, 8) },
    rounds: { type: 'string', default: '1' },
    clients: { type: 'string', default: '6' },
    down: { type: 'string' },
    limit: { type: 'string' },
    keep: { type: 'boolean', default: false },
    stack: { type: 'string', default: process.env.CATALOG_STACK ?? '../shared/stack' },
    servers: { type: 'string', default: 'mariadb,redis,search-engine' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

/** Acknowledged writes to see before and after each fault. */
const CALM = 60;
/** How long a part may take to come back, and everything to be caught up. */
const PATIENCE_MS = 600_000;
/** Room for the files of the run, and a disk that is soon full. */
const DISK = '256m';

const downMs = Number(values.down ?? (values.short ? 1.5 : 3)) * 1000;
const limitMs = Number(values.limit ?? (values.short ? 2700 : 3600)) * 1000;
const profiles = values.profile === 'both' ? ['embedded', 'stack'] : [values.profile];
for (const profile of profiles) {
  if (!['embedded', 'stack'].includes(profile))
    throw new Error(`--profile ${profile}: embedded, stack or both`);
}

/** What a short run leaves out on servers: what another fault is much like. */
const NOT_SHORT = [
  /^worker.*: stop/,
  /^(mariadb|mysql|search-engine): (stop|delay)/,
  /^redis: (kill|stop|delay|fill)/,
];

const report = new Report();
report.say(`seed ${values.seed}`);
for (const profile of profiles) await inProfile(profile);
console.log(`${report.passed} passed, ${report.failed} failed`);
process.exit(report.failed > 0 ? 1 : 0);

async function inProfile(profile) {
  const names = profile === 'embedded' ? [] : values.servers.split(',');
  const servers = new Servers(values.stack, names);
  const services = new Services();
  const run = { load: undefined, unmount: undefined };
  const failedBefore = report.failed;
  try {
    await limited(everything(profile, servers, services, run), limitMs);
  } catch (error) {
    report.fail(error, services.lastWords());
  } finally {
    run.load?.abandon();
    await services.stop();
    const keep = values.keep || report.failed > failedBefore;
    if (!keep) await run.unmount?.();
    await servers.stop({ keep });
    if (keep) report.say(`logs and data: ${servers.folder}`);
  }
}

async function everything(profile, servers, services, run) {
  report.say(`${profile}: starting`);
  const addresses = profile === 'embedded' ? {} : await servers.start();
  servers.folder ||= await mkdtemp(join(tmpdir(), 'catalog-faults-'));
  const home = join(servers.folder, 'home');
  await mkdir(home);
  if (profile === 'embedded') run.unmount = await mountDisk(home, DISK);
  await services.start(addresses, servers.folder, home);
  const load = (run.load = new Load(services.apis, Number(values.clients), `${values.seed} ${profile}`));
  load.start();
  await load.acknowledgeMore(CALM, PATIENCE_MS);
  const random = randomOf(values.seed, `faults ${profile}`);
  if (profile === 'embedded' && run.unmount === undefined)
    report.say('no disk can be mounted here: a full data folder is left out');
  for (let round = 1; round <= Number(values.rounds); round++) {
    const faults = faultsOf(services, servers, run.unmount !== undefined).filter(isWanted);
    for (const fault of shuffled(faults, random)) await harm(profile, fault, load, services);
  }
  report.say('looking for what was acknowledged');
  await load.stop();
  const found = await findings(services, load);
  report.conclude(profile, load.counts(), found);
}

function isWanted({ part, fault }) {
  const text = `${part}: ${fault}`;
  return text.includes(values.only) && !(values.short && NOT_SHORT.some((left) => left.test(text)));
}

async function harm(profile, { part, fault, begin, end }, load, services) {
  report.say(`${part}: ${fault}`);
  const before = load.counts();
  const began = performance.now();
  await begin();
  await new Promise((resolve) => setTimeout(resolve, downMs));
  const meanwhile = load.counts();
  await end();
  const over = performance.now();
  await load.acknowledgeMore(CALM, PATIENCE_MS);
  const serving = performance.now();
  await until(() => services.caughtUp(load, serving), PATIENCE_MS, `the consumers after ${part}: ${fault}`);
  if (load.numbers.wrong !== undefined) throw new Error(load.numbers.wrong);
  const seconds = (from, to) => ((to - from) / 1000).toFixed(1);
  report.add({
    part,
    fault,
    'acknowledged meanwhile': meanwhile.acknowledged - before.acknowledged,
    'repeated by clients': load.counts().retried - before.retried,
    'lasted s': seconds(began, over),
    'writes again after s': seconds(over, serving),
    'caught up after s': seconds(over, performance.now()),
  });
}
