// Asks every few milliseconds, from `begin` to `end`, whether the service is alive; answers how long that took.
import http from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const PAUSE_MS = 20;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
let running = false;
let ended = Promise.resolve();
let times = [];

parentPort.on('message', async (what) => {
  if (what === 'begin') {
    times = [];
    running = true;
    ended = watch();
    return parentPort.postMessage('begun');
  }
  running = false;
  await ended;
  times.sort((a, b) => a - b);
  return parentPort.postMessage({ median: times[times.length >> 1] ?? 0, max: times.at(-1) ?? 0 });
});

async function watch() {
  while (running) {
    const began = performance.now();
    await alive();
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function alive() {
  return new Promise((resolve, reject) => {
    http
      .get(workerData.url, { agent }, (response) => response.resume().on('end', resolve))
      .on('error', reject);
  });
}
