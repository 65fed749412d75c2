// Reads one entity every few milliseconds, from `begin` to `end`; answers how long that took.
import http from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const PAUSE_MS = 5;
const { url, token } = workerData;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const headers = { authorization: `Bearer ${token}`, 'x-restli-protocol-version': '2.0.0' };
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
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return parentPort.postMessage({ p50: at(0.5), p99: at(0.99) });
});

async function watch() {
  while (running) {
    const began = performance.now();
    await new Promise((resolve, reject) => {
      http
        .get(url, { agent, headers }, (response) => response.resume().on('end', resolve))
        .on('error', reject);
    });
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
