#!/usr/bin/env node
import './http/node-version.js';
import module from 'node:module';

// What a command writes into the data folder is for the account that the service runs under.
process.umask(0o077);

// Compiled code is kept between calls, as between starts of the service.
module.enableCompileCache();

// Not a static import: those are loaded, and fail on an old Node, before the line above has run.
import('./cli/run.js')
  .then(({ run }) => run(process.argv.slice(2)))
  .then((code) => {
    process.exitCode = code;
  })
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
