// Writes src/catalog/json/escape-code.ts, the compiled form of escape.wat beside it; with --check, compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';

const folder = new URL('../src/catalog/json/', import.meta.url);
const target = new URL('escape-code.ts', folder);
const source = readFileSync(new URL('escape.wat', folder), 'utf8');

const module = (await wabt()).parseWat('escape.wat', source, { simd: true, bulk_memory: true });
module.validate();
const code = Buffer.from(module.toBinary({}).buffer).toString('base64');
const lines = code.match(/.{1,100}/g).map((line) => `  '${line}'`);
const text = `/** WebAssembly in base64: \`npm run generate\` compiles escape.wat. */
export const ESCAPE_CODE =
${lines.join(' +\n')};
`;

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error(`${fileURLToPath(target)} is out of date: run "npm run generate" and check it in`);
    process.exit(1);
  }
} else {
  writeFileSync(target, text);
}
