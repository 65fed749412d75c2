/**
 * The service from the modules of the build, with one change: it kills its process, as the end of memory would, when it
 * works on what has "poison" in its name. KILLS says where; `hold` takes accepted writes and does not carry them out.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';

// As the service does: what is started again and again is not compiled each time.
enableCompileCache();

const { KILLS = '' } = process.env;
const module = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
/** What was under way in a process that died is taken again after so long, where several processes may share a catalog. */
const LEASE_MS = 5000;
const poisonous = (value) => JSON.stringify(value).includes('poison');

/** @param instead given the arguments of a call; answers undefined to let it be carried out. */
function change(type, name, instead) {
  const original = type.prototype[name];
  type.prototype[name] = function (...args) {
    return instead(...args) ?? original.apply(this, args);
  };
}

const killIf = (wrong) => {
  if (wrong) process.kill(process.pid, 'SIGKILL');
};

switch (KILLS) {
  case 'hold': {
    const { IngestService } = await module('modules/ingest/ingest.service.js');
    change(IngestService, 'submit', (_principal, _proposals, options) =>
      options?.settle ? new Promise(() => {}) : undefined,
    );
    break;
  }
  case 'submit': {
    const { IngestService } = await module('modules/ingest/ingest.service.js');
    change(IngestService, 'submit', (_, proposals) =>
      killIf(proposals.some(({ urn }) => poisonous(urn.text))),
    );
    break;
  }
  case 'consume': {
    const { SearchIndexer } = await module('modules/search/search-indexer.consumer.js');
    change(SearchIndexer, 'consumeUrns', (urns) => killIf(urns.some(poisonous)));
    break;
  }
  case 'remove': {
    const { ValueRemover } = await module('modules/structured-properties/removal/value-remover.js');
    change(ValueRemover, 'removePage', ({ property }) => killIf(poisonous(property)));
    break;
  }
  case 'clear': {
    const { ReferencesService } = await module('modules/lifecycle/references/references.service.js');
    change(ReferencesService, 'remove', (_, target) => killIf(poisonous(target.text)));
    break;
  }
}

const { WriteReceiptRepository } = await module('modules/openapi/receipts/write-receipt.repository.js');
const { take } = WriteReceiptRepository.prototype;
WriteReceiptRepository.prototype.take = function (worker, limit) {
  return take.call(this, worker, limit, LEASE_MS);
};

const { serve } = await module('serve.js');
await serve();
// A process that is killed would not write it when it ends.
flushCompileCache();
