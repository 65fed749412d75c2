import './http/node-version.js';
import module from 'node:module';

// The same program as main.js in the role of a worker, whatever CATALOG_ROLE says.
module.enableCompileCache();
const { serve, refuseToStart } = await import('./serve.js');
await serve('worker').catch(refuseToStart);
