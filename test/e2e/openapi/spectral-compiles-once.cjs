/**
 * Loaded into spectral before its own code: has it compile schemas of the same text once. It compiles that of each example anew,
 * though a document says of thousands of examples what they are by a few hundred schemas, and that took a third of its time.
 */
const { realpathSync } = require('node:fs');
const { createRequire } = require('node:module');
const { argv } = require('node:process');

const spectral = createRequire(realpathSync(argv[1]));
const functions = createRequire(spectral.resolve('@stoplight/spectral-functions'));
const { prototype } = functions('ajv/dist/core').default;

const { compile } = prototype;
/** By the instance: each has a dialect, and says all errors or the first. */
const compiled = new WeakMap();

prototype.compile = function (schema, ...more) {
  if (!compiled.has(this)) compiled.set(this, new Map());
  const known = compiled.get(this);
  const text = textOf(schema);
  if (text === undefined) return compile.call(this, schema, ...more);
  if (!known.has(text)) known.set(text, compile.call(this, schema, ...more));
  return known.get(text);
};

/** Undefined of one that contains itself. */
function textOf(schema) {
  try {
    return JSON.stringify(schema);
  } catch {
    return undefined;
  }
}
