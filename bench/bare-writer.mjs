// The least that a service can do with a write: an HTTP server that parses the body, checks nothing and writes the rows
// that the catalog wrote for it, flushed, with all that wait in one transaction. What the driver and HTTP leave is the
// most that any service can reach on this machine.
import { createServer } from 'node:http';
import { setImmediate } from 'node:timers';
import { copyOf } from './straight.mjs';

const { SOURCE, REQUESTS, ANSWER } = process.env;
const copy = copyOf(SOURCE, Number(REQUESTS));
let waiting = [];
let next = 0;

function commit() {
  const group = waiting;
  waiting = [];
  copy.write(next, (next += group.length));
  for (const response of group) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(ANSWER);
  }
}

createServer((request, response) => {
  if (request.method === 'GET') return void response.end();
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    if (waiting.push(response) === 1) setImmediate(commit);
  });
}).listen(Number(process.env.PORT), '127.0.0.1');

process.once('SIGTERM', () => {
  copy.close();
  process.exit(0);
});
