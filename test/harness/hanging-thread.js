// A thread of a lane that answers, but for what hangs.
import { parentPort } from 'node:worker_threads';

parentPort.on('message', ({ id, request }) => {
  while (request === 'hang');
  parentPort.postMessage({ id, ms: 0, outcome: { is: 'answer', json: JSON.stringify(request) } });
});
