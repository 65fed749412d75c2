/*
 * The first import of each entry point, before anything that an old Node cannot load. Plain syntax only: this file
 * itself must run where the rest does not.
 */
const NEEDED = [24, 11];
const found = process.versions.node.split('.').map(Number);

if (found[0]! < NEEDED[0]! || (found[0] === NEEDED[0] && found[1]! < NEEDED[1]!)) {
  process.stderr.write(
    'This service needs Node ' +
      NEEDED.join('.') +
      ' or newer; this is Node ' +
      process.versions.node +
      '.\n',
  );
  process.exit(1);
}

export {};
