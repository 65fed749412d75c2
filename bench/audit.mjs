// The audit log: what recording it costs writers, two services in turns, one with it and one without.
import {
  call,
  load,
  median,
  processorMs,
  rate,
  removeFolder,
  search,
  startCatalog,
  tempFolder,
} from './lib.mjs';

const DATASETS = Number(process.env.DATASETS ?? 1_000);
const WRITES = Number(process.env.WRITES ?? 1_500);
const ROUNDS = Number(process.env.ROUNDS ?? 8);

// Nothing is refused, however busy the machine is beside this.
const CATALOG_SHED_DELAY_MS = '60000';

const homes = [tempFolder(), tempFolder()];
const services = [
  await startCatalog(homes[0], { CATALOG_AUDIT: 'on', CATALOG_SHED_DELAY_MS }),
  await startCatalog(homes[1], { CATALOG_AUDIT: 'off', CATALOG_SHED_DELAY_MS }),
];

const single = (url, from) =>
  rate(
    (i) =>
      call(`${url}/aspects?action=ingestProposal`, {
        method: 'POST',
        body: JSON.stringify({
          proposal: {
            ...{ entityType: 'tag', entityUrn: `urn:li:tag:audit-${from + i}`, changeType: 'UPSERT' },
            aspectName: 'tagProperties',
            aspect: { value: JSON.stringify({ name: `tag ${i}` }), contentType: 'application/json' },
          },
        }),
      }),
    WRITES,
    16,
  );

const WORK = {
  'batches of 200 proposals': (url, round) => load(url, round * DATASETS, (round + 1) * DATASETS),
  'single writes of 16 clients': (url, round) => single(url, round * WRITES),
};

const sum = (values) => values.reduce((total, value) => total + value, 0);

for (const [name, work] of Object.entries(WORK)) {
  const rates = [];
  const cost = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const seen = [];
    // Who begins changes from round to round.
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const { url, pid } = services[index];
      const before = processorMs(pid);
      const done = await work(url, round);
      // What is indexed later belongs to this round as well, and must not run beside the other service.
      await search(url, 'table');
      seen[index] = { done, cost: processorMs(pid) - before };
    }
    // The first round warms up.
    if (round === 0) continue;
    rates.push(seen[0].done / seen[1].done);
    seen.forEach((each, index) => cost[index].push(each.cost));
  }
  console.log(
    `${name}: ${median(rates).toFixed(2)} x without the audit log (floor: 0.9), by processor time ` +
      `${(sum(cost[0]) / sum(cost[1])).toFixed(3)} x in all, ${(median(cost[0]) / median(cost[1])).toFixed(3)} x by medians`,
  );
}
for (const { stop } of services) await stop();
for (const home of homes) removeFolder(home);
