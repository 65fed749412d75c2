import './http/node-version.js';
import module from 'node:module';

// Compiled code is kept between starts. It works for what is imported after this line only, hence the late import.
module.enableCompileCache();
const { serve, refuseToStart } = await import('./serve.js');
await serve().catch(refuseToStart);
