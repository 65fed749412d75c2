// Updates one process after the other under load, from a former revision to this build, and checks that nothing is lost:
// npm run test:rolling -- <revision>. Needs STACK_DATABASE_URL and STACK_SEARCH_URL. Without STACK_REDIS_URL the queue is the
// table in the database.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import mysql from 'mysql2/promise';
import { freePort } from '../harness/free-port.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TOKEN = 'rolling-administrator-token';
const WRITERS = 6;
const [revision] = process.argv.slice(2);
const { STACK_DATABASE_URL, STACK_REDIS_URL, STACK_SEARCH_URL } = process.env;
if (!revision || !STACK_DATABASE_URL || !STACK_SEARCH_URL)
  throw new Error(
    'usage: STACK_DATABASE_URL=… [STACK_REDIS_URL=…] STACK_SEARCH_URL=… npm run test:rolling -- <revision>',
  );

const word = `rolling${randomBytes(4).toString('hex')}`;
const folder = mkdtempSync(join(tmpdir(), 'catalog-rolling-'));
const former = join(folder, 'former');
const processes = new Map();
let [passed, failed] = [0, 0];
const check = (what, good, detail = '') => {
  console.log(`${good ? 'ok' : 'FAILED'}: ${what}${good ? '' : ` ${detail}`}`);
  if (good) passed += 1;
  else failed += 1;
};

/** Builds the former revision in a folder of its own. */
function buildFormer() {
  const git = (...args) => execFileSync('git', args, { cwd: ROOT, stdio: 'ignore' });
  git('worktree', 'add', '--detach', former, revision);
  const lock = (root) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lock(former) === lock(ROOT) && existsSync(join(ROOT, 'node_modules')))
    symlinkSync(join(ROOT, 'node_modules'), join(former, 'node_modules'));
  else
    execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], {
      cwd: former,
      stdio: 'ignore',
    });
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: former, stdio: 'ignore' });
}

async function start(name, role, root, environment) {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'dist', 'main.js')],
    {
      cwd: root,
      env: {
        ...process.env,
        ...environment,
        PORT: String(port),
        HOST: '127.0.0.1',
        CATALOG_ROLE: role,
        CATALOG_HOME: join(folder, name),
        CATALOG_ADMIN_TOKEN: TOKEN,
        CATALOG_LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    const ready = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (ready?.status === 200) break;
    await pause(50);
  }
  processes.set(name, { url, child, role });
}

async function stop(name) {
  const { child } = processes.get(name);
  processes.delete(name);
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

const servers = () => [...processes.values()].filter(({ role }) => role === 'api');

/** One call as a load balancer makes it: what a process that stops does not take goes to another one. */
async function call(path, body) {
  let last;
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const all = servers();
    const { url } = all[(attempt + Math.floor(Math.random() * all.length)) % all.length];
    try {
      const response = await fetch(url + path, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: {
          authorization: `Bearer ${TOKEN}`,
          'content-type': 'application/json',
          'x-restli-protocol-version': '2.0.0',
        },
      });
      const text = await response.text();
      if (response.status === 200) return text === '' ? undefined : JSON.parse(text);
      last = new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
      if (response.status !== 503) throw last;
    } catch (error) {
      if (error === last && !String(error).includes(' 503 ')) throw error;
      last = error;
    }
    await pause(50);
  }
  throw last;
}

const acknowledged = new Map();
const refused = [];
let next = 0;
let stopping = false;

async function write() {
  while (!stopping) {
    const n = next++;
    const entityUrn = `urn:li:tag:rolling${n % 500}`;
    const value = JSON.stringify({ name: `rolling ${n}` });
    const proposal = {
      ...{ entityType: 'tag', entityUrn, aspectName: 'tagProperties', changeType: 'UPSERT' },
      aspect: { value, contentType: 'application/json' },
    };
    try {
      await call('/aspects?action=ingestProposal', { proposal });
      acknowledged.set(String(n), entityUrn);
    } catch (error) {
      refused.push(String(error));
    }
  }
}

async function search() {
  while (!stopping) {
    try {
      await call('/entities?action=search', { entity: 'tag', input: 'rolling', start: 0, count: 1 });
    } catch (error) {
      refused.push(String(error));
    }
    await pause(100);
  }
}

/** Names of all values that the change feed tells of. */
async function told() {
  const names = [];
  let query = 'lookbackWindowDays=1';
  for (;;) {
    const { offsetId, count, events } = await call(
      `/openapi/v1/events/poll?topic=MetadataChangeLog_Versioned_v1&aspect=tagProperties&limit=5000&pollTimeoutSeconds=1&${query}`,
    );
    if (count === 0) return names;
    names.push(...events.map(({ value }) => JSON.parse(JSON.parse(value).aspect.value).name.split(' ')[1]));
    query = `offsetId=${offsetId}`;
  }
}

const connection = await mysql.createConnection(STACK_DATABASE_URL);
try {
  buildFormer();
  await connection.query(`CREATE DATABASE ${word}`);
  const database = new URL(STACK_DATABASE_URL);
  database.pathname = `/${word}`;
  const environment = {
    CATALOG_DATABASE_URL: database.href,
    ...(STACK_REDIS_URL && { CATALOG_REDIS_URL: STACK_REDIS_URL }),
    CATALOG_SEARCH_URL: STACK_SEARCH_URL,
    CATALOG_QUEUE_PREFIX: word,
    CATALOG_SEARCH_PREFIX: word,
  };
  const plan = [
    ['worker', 'worker'],
    ['one', 'api'],
    ['two', 'api'],
  ];
  for (const [name, role] of plan) await start(name, role, former, environment);
  const load = [...Array.from({ length: WRITERS }, write), search()];
  await pause(3_000);
  for (const [name, role] of plan) {
    await stop(name);
    await start(name, role, ROOT, environment);
    console.log(`${name} is updated, ${acknowledged.size} writes so far`);
    await pause(3_000);
  }
  stopping = true;
  await Promise.all(load);

  check('writes went on', acknowledged.size > 1_000, `${acknowledged.size}`);
  check('no call was refused', refused.length === 0, `${refused.length}: ${refused[0]}`);
  const names = await told();
  const seen = new Set(names);
  const lost = [...acknowledged.keys()].filter((name) => !seen.has(name));
  check('the change feed has every acknowledged write', lost.length === 0, `${lost.length} are missing`);
  check('and each once', seen.size === names.length, `${names.length - seen.size} twice`);
  const report = (await call('/operations?action=verify', {})).value;
  check(
    'store and index agree',
    report.remaining === 0 && report.documents === report.entities,
    JSON.stringify(report),
  );
  const { value } = await call('/entities?action=search', {
    entity: 'tag',
    input: 'rolling',
    start: 0,
    count: 1,
  });
  check(
    'every entity is found',
    value.numEntities === new Set(acknowledged.values()).size,
    `${value.numEntities}`,
  );
} finally {
  stopping = true;
  for (const name of [...processes.keys()]) await stop(name);
  await connection.query(`DROP DATABASE IF EXISTS ${word}`);
  await connection.end();
  await fetch(`${STACK_SEARCH_URL}/${word}*`, { method: 'DELETE' }).catch(() => undefined);
  execFileSync('git', ['worktree', 'remove', '--force', former], { cwd: ROOT, stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
