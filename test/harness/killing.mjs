/**
 * The service as users start it, with one change: it kills its process, as the end of memory would, when it works on what has
 * "poison" in its name. KILLS says where; `hold` takes accepted writes and does not carry them out.
 */
import { flushCompileCache, registerHooks } from 'node:module';

const { KILLS = '' } = process.env;
const BUILD = new URL('../../dist/', import.meta.url).href;
/** What was under way in a process that died is taken again after so long, where several processes may share a catalog. */
const LEASE_MS = 5000;
const poisonous = (value) => JSON.stringify(value).includes('poison');

const killIf = (wrong) => {
  if (wrong) process.kill(process.pid, 'SIGKILL');
};

/** For each place the class, its method, and what is done instead: undefined lets the call be carried out. */
const PLACES = {
  hold: [
    'IngestService',
    'submit',
    (_principal, _proposals, options) => (options?.settle ? new Promise(() => {}) : undefined),
  ],
  submit: [
    'IngestService',
    'submit',
    (_, proposals) => killIf(proposals.some(({ urn }) => poisonous(urn.text))),
  ],
  consume: ['SearchIndexer', 'consumeUrns', (urns) => killIf(urns.some(poisonous))],
  remove: ['ValueRemover', 'removePage', ({ property }) => killIf(poisonous(property))],
  clear: ['ReferencesService', 'remove', (_, target) => killIf(poisonous(target.text))],
};

const changes = new Map([
  [
    'WriteReceiptRepository',
    ({ prototype }) => {
      const { take } = prototype;
      prototype.take = function (worker, limit) {
        return take.call(this, worker, limit, LEASE_MS);
      };
    },
  ],
]);
if (KILLS !== '') {
  const [type, name, instead] = PLACES[KILLS];
  changes.set(type, ({ prototype }) => {
    const original = prototype[name];
    prototype[name] = function (...args) {
      return instead(...args) ?? original.apply(this, args);
    };
  });
}

// The bundle exports none of these classes: it hands them over at the end of the file that has them.
globalThis.handOver = (name, type) => {
  changes.get(name)(type);
  changes.delete(name);
};
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.startsWith(BUILD)) return loaded;
    const text = String(loaded.source);
    const found = [...changes.keys()].filter((name) => text.includes(`\nvar ${name} = class`));
    const handing = found.map((name) => `globalThis.handOver('${name}', ${name});\n`);
    return { ...loaded, source: text + handing.join('') };
  },
});

await import(new URL('main.js', BUILD).href);
if (changes.size > 0) {
  console.error(`not in what the build loads at its start: ${[...changes.keys()].join(', ')}`);
  process.exit(1);
}
// It is written at the end of a process otherwise, which these do not come to: each would compile all of the build.
flushCompileCache();
