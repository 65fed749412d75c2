import { execFile } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { until } from './wait.mjs';

const run = promisify(execFile);

/**
 * A fault: what it is done to, what is done, how it begins and ends. `only` names a part it makes sense for.
 * @typedef {{ part: string, fault: string, begin: () => Promise<unknown>, end: () => Promise<unknown> }} Fault
 */

/** What happens to any process: it dies, or it stands still. */
function ofProcess(part) {
  return [
    { fault: 'kill', begin: () => killed(part), end: () => part.restart() },
    { fault: 'stop', begin: () => signal(part, 'SIGSTOP'), end: () => signal(part, 'SIGCONT') },
  ];
}

async function signal(part, name) {
  process.kill(await part.pid(), name);
}

async function killed(part) {
  if (part.kill) return part.kill();
  const pid = await part.pid();
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid), 10_000, `the end of ${part.name}`);
}

/** What happens on the way to a server. */
function ofWay({ proxy }) {
  const treated = (fault, manner) => ({
    fault,
    begin: async () => proxy.treat(manner),
    end: async () => proxy.treat('pass'),
  });
  return [
    { fault: 'cut', begin: () => proxy.close(), end: () => proxy.open() },
    treated('accept and close', 'close'),
    treated('swallow', 'swallow'),
    treated('delay', 'delay'),
  ];
}

async function onRedis({ port }, work) {
  const client = new Redis(Number(port), '127.0.0.1');
  try {
    await work(client);
  } finally {
    await client.quit();
  }
}

function ofRedis(part) {
  let keeper;
  const maxmemory = (value) => onRedis(part, (client) => client.config('SET', 'maxmemory', value));
  return [
    { fault: 'fill', begin: () => maxmemory('1'), end: () => maxmemory('0') },
    { fault: 'wipe', begin: () => onRedis(part, (client) => client.flushall()), end: async () => undefined },
    {
      fault: 'no room for connections',
      begin: async () => {
        // This one keeps the only place, so that it can make room again.
        keeper = new Redis(Number(part.port), '127.0.0.1');
        await keeper.config('SET', 'maxclients', '1');
        await keeper.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      },
      end: async () => {
        await keeper.config('SET', 'maxclients', '10000');
        await keeper.quit();
      },
    },
  ];
}

function ofEngine({ url }) {
  const ask = async (method, path, body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(new URL(path, url), {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const block = (value) => ask('PUT', '/_all/_settings', { 'index.blocks.read_only_allow_delete': value });
  const remove = async () => {
    const indices = Object.keys(await ask('GET', '/_all/_alias'));
    const data = indices.filter((name) => !name.startsWith('.'));
    if (data.length > 0) await ask('DELETE', `/${data.join(',')}`);
  };
  return [
    // What the engine does to its indices when its disk is full.
    { fault: 'fill', begin: () => block(true), end: () => block(null) },
    { fault: 'damage', begin: remove, end: async () => undefined },
  ];
}

/** The log of a process: nothing takes it. */
function ofLog(service) {
  let full;
  return [
    {
      part: `log of ${service.name}`,
      fault: 'nobody reads',
      begin: async () => void service.child.stdout.pause(),
      end: async () => void service.child.stdout.resume(),
    },
    {
      part: `log of ${service.name}`,
      fault: 'fill',
      begin: async () => {
        await service.stop();
        full = openSync('/dev/full', 'w');
        await service.start(full);
      },
      end: async () => {
        await service.stop();
        closeSync(full);
        await service.start();
      },
    },
  ];
}

/** The files of a process that keeps everything in them. */
function ofFiles(service, ownDisk) {
  const index = join(service.home, 'search.db');
  const filler = join(service.home, 'filler');
  const damaged = async () => {
    await service.kill();
    const file = await open(index, 'r+');
    const { size } = await file.stat();
    const page = Buffer.alloc(4096, 'Z');
    for (let at = 20 * page.length; at + page.length <= size; at += 2 * page.length) {
      await file.write(page, 0, page.length, at);
    }
    await file.close();
  };
  const removed = async () => {
    await service.kill();
    for (const end of ['', '-wal', '-shm']) await rm(index + end, { force: true });
  };
  const faults = [
    { part: 'search.db', fault: 'damage', begin: damaged, end: () => service.start() },
    { part: 'search.db', fault: 'remove', begin: removed, end: () => service.start() },
  ];
  if (ownDisk) {
    faults.push({
      part: 'data folder',
      fault: 'fill',
      begin: async () => {
        const { bavail, bsize } = await statfs(service.home);
        await writeFile(filler, Buffer.alloc(bavail * bsize)).catch(() => undefined);
      },
      end: () => rm(filler),
    });
  }
  return faults;
}

/** A small disk of one's own for the data folder, where this process may mount one; undefined elsewhere. */
export async function mountDisk(folder, size) {
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', folder]).then(
    () => true,
    () => false,
  );
  return mounted ? () => run('umount', ['-l', folder]) : undefined;
}

/** Every fault of the services and servers of this run. */
export function faultsOf(services, servers, ownDisk) {
  const faults = services.parts().flatMap((part) => named(part.name, ofProcess(part)));
  for (const part of servers.parts()) {
    faults.push(...named(part.name, [...ofProcess(part), ...ofWay(part)]));
    if (part.name === 'redis') faults.push(...named(part.name, ofRedis(part)));
    if (part.name === 'search-engine') faults.push(...named(part.name, ofEngine(part)));
  }
  const [first] = services.parts();
  faults.push(...ofLog(first));
  if (first.role === 'all') faults.push(...ofFiles(first, ownDisk));
  return faults;
}

function named(part, faults) {
  return faults.map((fault) => ({ part, ...fault }));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
