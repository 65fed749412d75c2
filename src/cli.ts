#!/usr/bin/env node
import './http/node-version.js';

// What a command writes into the data folder is for the account that the service runs under.
process.umask(0o077);

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
