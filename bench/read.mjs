// Reads of one entity, against a bare HTTP server that answers the same bytes.
import { spawn } from 'node:child_process';
import { call, load, median, rate, removeFolder, startCatalog, tempFolder } from './lib.mjs';

const COUNT = Number(process.env.COUNT ?? 8_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const WORKERS = 16;

const home = tempFolder();
const catalog = await startCatalog(home);
await load(catalog.url, 0, 2_000);
const path = (i) =>
  `/entitiesV2/${encodeURIComponent(`urn:li:dataset:(urn:li:dataPlatform:postgres,shop.area_${(i % 2_000) % 50}.table_${i % 2_000},PROD)`)}`;
const bytes = await call(catalog.url + path(7));

const bare = spawn(
  process.execPath,
  [
    '-e',
    `const body = Buffer.from(process.env.BYTES);
     const server = require('node:http').createServer((request, response) => {
       response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
       response.end(body);
     }).listen(0, '127.0.0.1', () => console.log(server.address().port));`,
  ],
  { env: { ...process.env, BYTES: bytes }, stdio: ['ignore', 'pipe', 'inherit'] },
);
const port = await new Promise((resolve) => bare.stdout.once('data', (text) => resolve(Number(text))));

const ratios = [];
const rates = [];
for (let round = 0; round <= ROUNDS; round += 1) {
  const ours = await rate((i) => call(catalog.url + path(i)), COUNT, WORKERS);
  const theirs = await rate((i) => call(`http://127.0.0.1:${port}${path(i)}`), COUNT, WORKERS);
  if (round === 0) continue;
  ratios.push(ours / theirs);
  rates.push(ours);
}
bare.kill();
await catalog.stop();
removeFolder(home);
console.log(`read of one entity (${bytes.length} bytes): ${median(rates).toFixed(0)}/s`);
console.log(`read: ${median(ratios).toFixed(2)} x a bare HTTP server with the same bytes (floor: 0.5)`);
