/* global sessionStorage */
// How soon the web application paints what was asked for, over 100,000 datasets, against a bare page that shows as much.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { load, processorMs, removeFolder, search, startCatalog, tempFolder, TOKEN } from './lib.mjs';

const DATASETS = Number(process.env.DATASETS ?? 100_000);
/** Interactions of each kind. */
const COUNT = Number(process.env.COUNT ?? 30);
const CEILING_MS = 200;

const folder = process.env.LOADED ? join(process.env.LOADED, `web-${DATASETS}`) : tempFolder();
const catalog = await startCatalog(folder);
const stored = async () => JSON.parse(await search(catalog.url, '*')).value.numEntities;
if ((await stored()) !== DATASETS) await load(catalog.url, 0, DATASETS);
if ((await stored()) !== DATASETS) throw new Error('not all datasets are found');

/** Answers and contents of the application, by number, as the bare page shows them. */
const recorded = [];
const bare = createServer((request, response) => {
  const [, kind, number] = request.url.split('/');
  const headers = { 'content-type': kind === 'answer' ? 'application/json' : 'text/html; charset=utf-8' };
  response.writeHead(200, headers);
  if (kind === 'answer') response.end(recorded[number].answer);
  else response.end(kind === 'content' ? recorded[number].content : BARE);
});
bare.listen(0, '127.0.0.1');
await once(bare, 'listening');

/** One box, one button, one place: what was rendered elsewhere is put there once the same bytes have come. */
const BARE = `<!doctype html><title>Bare</title><input id="box"><button id="go">Go</button><main id="content"></main>
<script>
  const contents = [];
  const content = document.getElementById('content');
  const show = async () => {
    await (await fetch('answer/' + next)).json();
    content.innerHTML = contents[next];
    document.title = 'shown ' + next;
  };
  document.getElementById('box').onkeydown = ({ key }) => { if (key === 'Enter' || suggests) show(); };
  document.getElementById('go').onclick = show;
  let next = 0;
  let suggests = false;
  const prepare = async (number, typing) => {
    next = number;
    suggests = typing;
    contents[number] = await (await fetch('content/' + number)).text();
  };
</script>`;

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ],
});
const [app, plain] = [await browser.newPage(), await browser.newPage()];
for (const page of [app, plain]) {
  await page.setViewport({ width: 1280, height: 900 });
  page.setDefaultTimeout(120_000);
}
/** What the service answered since the last key or click. */
let answers = [];
app.on('response', (response) => {
  if (response.url().endsWith('/api/graphql')) answers.push(response.text().catch(() => '{}'));
});
const metrics = await app.createCDPSession();
await metrics.send('Performance.enable', { timeDomain: 'threadTicks' });
/** Processor time until now: of the service, and of the thread of the page. */
async function processor() {
  const { metrics: all } = await metrics.send('Performance.getMetrics');
  const page = all.find(({ name }) => name === 'TaskDuration').value * 1000;
  return { service: processorMs(catalog.pid), page };
}

await app.evaluateOnNewDocument((token) => sessionStorage.setItem('metadata-catalog:token', token), TOKEN);
await app.goto(`${catalog.url}/web`, { waitUntil: 'networkidle0' });
await plain.goto(`http://127.0.0.1:${bare.address().port}/`);

/** Processor time before the last key or click. */
let began;

/**
 * Milliseconds from a key or a click to the frame behind the one in which a condition first holds: what it shows is painted then.
 * @param condition an expression of the page
 */
async function painted(page, condition, act) {
  await page.bringToFront();
  // The debugger may do what the content policy of the page forbids to its scripts.
  await page.evaluate(`{
    globalThis.measured = new Promise((resolve) => {
      let began;
      for (const type of ['keydown', 'mousedown'])
        addEventListener(type, ({ timeStamp }) => (began ??= timeStamp), { capture: true, once: true });
      const look = () => {
        if (began === undefined || !(${condition})) return;
        watcher.disconnect();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - began);
          port2.postMessage(undefined);
        });
      };
      const watcher = new MutationObserver(look);
      watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    });
    undefined;
  }`);
  answers = [];
  began = await processor();
  await act();
  return page.evaluate('measured');
}

const content = () => app.$eval('#page', (page) => page.innerHTML);
const settled = () => app.waitForSelector('.search[aria-busy=false]:has(.facets[aria-busy=false]) .hit');
const visit = async (place) => {
  // A page behind another one does not ask again what a busy service refused.
  await app.bringToFront();
  await app.evaluate(`location.hash = ${JSON.stringify(`#${place}`)}`);
  await app.waitForNetworkIdle({ idleTime: 200 });
};
const fill = (text) =>
  app
    .$eval('.search-box input', (box) => (box.focus(), box.select()))
    .then(() => app.keyboard.sendCharacter(text));
/** What is typed differs each time: an answer is not one that was kept. */
const text = (i) => ['subject', 'team', 'area'][i % 3] + ` ${(i * 37) % 900} reports`;
const done = (what) => `document.querySelector('.search[aria-busy=false]') && (${what})`;

const headed = (i) => `document.querySelector('h1').textContent.includes(${JSON.stringify(`“${text(i)}”`)})`;
const COUNTED = `document.querySelector('.facets[aria-busy=false]')`;
async function enter(i, shown) {
  await visit('/');
  await settled();
  await fill(text(i));
  await app.waitForNetworkIdle({ idleTime: 200 });
  return painted(app, shown, () => app.keyboard.press('Enter'));
}

const KINDS = {
  'search with Enter': (i) => enter(i, done(headed(i))),
  'the counts of a search with Enter': (i) => enter(i + 300, done(`${headed(i + 300)} && ${COUNTED}`)),
  'a filter': async (i) => {
    await visit(`/?q=team%20${i}`);
    await settled();
    const boxes = await app.$$('.facets fieldset .check input:not(:checked)');
    const box = boxes[(i * 5) % boxes.length];
    await box.scrollIntoView();
    const shown = done(`location.href.includes('filters') && document.querySelector('.hit, .results p')`);
    return painted(app, shown, () => box.click());
  },
  'the next page': async (i) => {
    await visit(`/?q=area%20${i % 50}&page=${2 + i}`);
    await settled();
    const link = await app.waitForSelector('.pages [rel=next]');
    await link.scrollIntoView();
    const shown = done(`document.querySelector('.pages')?.textContent.includes('Page ${3 + i} of')`);
    return painted(app, shown, () => link.click());
  },
  'the page of an entity': async (i) => {
    await visit(`/?q=table_${(i * 97) % DATASETS}`);
    await settled();
    const link = await app.waitForSelector('.hit a');
    const shown = `document.querySelector('.entity[aria-busy=false] .overview')`;
    return painted(app, shown, () => link.click());
  },
  'suggestions (40 ms of it wait for the next key)': async (i) => {
    await visit('/browse');
    const begun = `table_${1 + ((i * 13) % (DATASETS / 10 - 1))}`;
    await fill(begun);
    await app.waitForNetworkIdle({ idleTime: 300 });
    const letter = String(i % 10);
    const name = begun + letter;
    const shown = `[...document.querySelectorAll('.options .name')].some((one) => one.textContent.startsWith(${JSON.stringify(name)}))`;
    return painted(app, shown, () => app.keyboard.press(letter));
  },
};

const p = (values, share) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1];
console.log(`${DATASETS} datasets, ${COUNT} interactions of each kind; ceiling: p95 ${CEILING_MS} ms`);
for (const [kind, act] of Object.entries(KINDS).filter(([kind]) => kind.includes(process.env.ONLY ?? ''))) {
  const [ours, theirs, service, page] = [[], [], [], []];
  for (let i = -3; i < COUNT; i += 1) {
    const took = await act(i + 3);
    const now = await processor();
    const used = { service: now.service - began.service, page: now.page - began.page };
    const [answer = '{}'] = await Promise.all(answers);
    const number = recorded.push({ answer, content: await content() }) - 1;
    const typing = kind.startsWith('suggestions');
    await plain.evaluate(`prepare(${number}, ${typing})`);
    await plain.bringToFront();
    if (kind.includes('Enter') || typing) await plain.focus('#box');
    const shown = `document.title === 'shown ${number}'`;
    const bareTook = await painted(plain, shown, () =>
      kind.includes('Enter') || typing ? plain.keyboard.press(typing ? 'a' : 'Enter') : plain.click('#go'),
    );
    // The first ones only warm up.
    if (i < 0) continue;
    ours.push(took);
    theirs.push(bareTook);
    service.push(used.service);
    page.push(used.page);
  }
  const figure = (values) => `p50 ${p(values, 0.5).toFixed(0)} ms, p95 ${p(values, 0.95).toFixed(0)} ms`;
  const ratio = (p(ours, 0.95) / p(theirs, 0.95)).toFixed(2);
  console.log(`${kind}: ${figure(ours)}; a bare page ${figure(theirs)}; p95 ${ratio} x`);
  console.log(
    `  processor until then, p50: service ${p(service, 0.5).toFixed(0)} ms, page ${p(page, 0.5).toFixed(0)} ms`,
  );
}

await browser.close();
bare.close();
await catalog.stop();
if (!process.env.LOADED) removeFolder(folder);
