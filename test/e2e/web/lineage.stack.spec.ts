import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../harness/until.js';
import { dataset, policy, putPolicies } from '../policies/policies.js';
import { DESKTOP, PHONE, WebPages } from './support.js';

const PARCELS = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,brew.marts.parcel_delays,PROD)';
const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,brew.marts.orders,PROD)';
const ROOT = dataset('wide.root');
/** Of the wide graph: tables made of the root, and tables made of each of them. */
const [FIRST, SECOND] = [40, 26];

const lineageOf = (...urns: string[]) => ({
  upstreams: urns.map((urn) => ({ dataset: urn, type: 'TRANSFORMED' })),
});

describe('the web application: lineage', () => {
  let web: WebPages;
  let downloads: string;
  beforeAll(async () => {
    downloads = await mkdtemp(join(tmpdir(), 'catalog-downloads-'));
    web = await WebPages.open();
    await web.visit('/');
    await web.signIn();
    await web.says('.user', 'admin');
  });
  afterAll(async () => {
    await web?.close();
    await rm(downloads, { recursive: true, force: true });
  });

  const still = () => web.page.waitForSelector('.picture[aria-busy=false] .box');
  const show = async (urn: string) => {
    await web.visit(`/entity?urn=${encodeURIComponent(urn)}&tab=lineage`);
    await still();
  };
  /** Another width opens the page anew. */
  const looksWell = async (name: string) => {
    await web.looksWell(name);
    await still();
  };
  const press = (label: string) =>
    web.page.evaluate(
      `[...document.querySelectorAll('.picture button')].find((b) => (b.ariaLabel ?? b.textContent) === ${JSON.stringify(label)}).click()`,
    );
  const count = (selector: string) => web.page.$$eval(selector, (found) => found.length);
  const boxes = () => web.texts('.box .names a');

  it('is drawn with libraries that come with it', async () => {
    await web.visit(`/entity?urn=${encodeURIComponent(PARCELS)}`);
    const asked = () => web.requests().filter((url) => /picture|layout/.test(url));
    expect(asked()).toEqual([]);
    await show(PARCELS);
    expect(asked().length).toBeGreaterThan(0);
    expect((await boxes()).sort()).toEqual(
      [
        'Fit churn',
        'churn_risk',
        'parcel_delays',
        'parcel_events',
        'parcels',
        'stg_parcels',
        'stg_refunds',
      ].sort(),
    );
    expect(await count('.react-flow__edge')).toBe(6);
    await looksWell('lineage');
  });

  it('opens at a size that can be read, around the root, also where not all of it fits', async () => {
    const zoom = () =>
      web.page.evaluate(
        `new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform).a`,
      );
    const offCentre = () =>
      web.page.evaluate(`(() => {
        const [box, canvas] = ['.box.root', '.canvas'].map((s) => document.querySelector(s).getBoundingClientRect());
        return Math.hypot(box.x + box.width / 2 - canvas.x - canvas.width / 2, box.y + box.height / 2 - canvas.y - canvas.height / 2);
      })()`) as Promise<number>;
    await show(ORDERS);
    await web.says('.picture [role=status]', '26 entities');
    await until(async () => (await zoom()) === 0.75 && (await offCentre()) < 3);
    await press('One step further');
    await web.says('.picture [role=status]', '64 entities');
    await still();
    await until(async () => (await zoom()) === 0.75 && (await offCentre()) < 3);
    await press('Show all');
    await until(async () => Number(await zoom()) < 0.4);
    await press('Start again');
    await web.says('.picture [role=status]', '26 entities');
    await until(async () => (await zoom()) === 0.75 && (await offCentre()) < 3);
    await show(PARCELS);
  });

  it('goes to what is beside the box in the middle, where a small screen holds no more', async () => {
    const inSight = () =>
      web.page.evaluate(`(() => {
        const canvas = document.querySelector('.canvas').getBoundingClientRect();
        const isIn = ({ left, right }) => left >= canvas.left && right <= canvas.right;
        return [...document.querySelectorAll('.box')].filter((box) => isIn(box.getBoundingClientRect()))
          .map((box) => box.querySelector('.names a').textContent);
      })()`) as Promise<string[]>;
    await web.page.setViewport(PHONE);
    await show(PARCELS);
    await until(async () => (await inSight()).join() === 'parcel_delays');
    await press('To what it is made of');
    await until(async () => (await inSight()).includes('stg_parcels'));
    for (const _ of [1, 2]) await press('To what is made of it');
    await until(async () => (await inSight()).includes('churn_risk'));
    await web.page.setViewport(DESKTOP);
    await show(PARCELS);
  });

  it('goes further where it is clicked', async () => {
    await press('Show 3 more upstream of stg_parcels');
    await web.says('.picture [role=status]', '9 entities');
    await still();
    expect(await count('button[aria-label$="upstream of stg_parcels"]')).toBe(0);
    await press('Start again');
    await web.says('.picture [role=status]', '7 entities');
  });

  it('shows columns, and what they are made of', async () => {
    await still();
    await press('Columns of parcel_delays');
    await web.page.waitForSelector('.react-flow__edge.column');
    expect(await web.texts('.box .columns li')).toContain('days_late');
    await press('Columns of stg_parcels');
    await web.page.waitForFunction(`document.querySelectorAll('.box .columns').length === 2`);
    await still();
    await looksWell('lineage-columns');
  });

  it('is saved as SVG and as PNG', async () => {
    await press('Columns of parcel_delays');
    await web.page.waitForSelector('.react-flow__edge.column');
    const client = await web.page.createCDPSession();
    await client.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: downloads });
    await press('SVG');
    await press('PNG');
    const files = ['lineage-parcel_delays.png', 'lineage-parcel_delays.svg'];
    await until(async () => (await readdir(downloads)).sort().join() === files.join());
    const [png, svg] = await Promise.all(files.map((file) => readFile(join(downloads, file))));
    expect(png!.subarray(1, 4).toString()).toBe('PNG');
    const text = svg!.toString();
    expect(text).toContain('days_late');
    expect(text).not.toMatch(/href|<script|url\(/);
    const parsed = (await web.page.evaluate(
      `new DOMParser().parseFromString(${JSON.stringify(text)}, 'image/svg+xml').querySelectorAll('parsererror, rect').length`,
    )) as number;
    expect(parsed).toBe((await count('.box')) + 1);
  });

  it('lists what is reached at any distance, with filters', async () => {
    await show(PARCELS);
    await web.says('.impact', 'Morning cup');
    const total = Number(/\d+/.exec(await web.text('.impact [role=status]'))![0]);
    await web.page.evaluate(`document.querySelector('.impact .facets').open = true`);
    await web.page.evaluate(
      `[...document.querySelectorAll('.impact .check')].find((l) => l.textContent.startsWith('Chart')).click()`,
    );
    await web.page.waitForFunction(
      `parseInt(document.querySelector('.impact [role=status]').textContent) < ${total}`,
    );
    await web.page.waitForSelector('.impact[aria-busy=false]');
    expect(await web.texts('.impact .plain li')).toEqual(
      (await web.texts('.impact .plain li')).filter((text) => text.includes('Chart')),
    );
    await web.page.evaluate(`document.querySelectorAll('.impact input[type=radio]')[1].click()`);
    await web.says('.impact', 'parcel_events');
  });

  it('shows what is removed, what nobody described, and that something is hidden', async () => {
    const [made, removed, secret, missing] = ['made', 'removed', 'secret', 'missing'].map((name) =>
      dataset(`seen.${name}`),
    );
    await web.catalog.ingest(
      [removed!, 'datasetProperties', { name: 'seen.removed' }],
      [removed!, 'status', { removed: true }],
      [secret!, 'globalTags', { tags: [{ tag: 'urn:li:tag:secret' }] }],
      [made!, 'upstreamLineage', lineageOf(removed!, secret!, missing!)],
    );
    await putPolicies(web.catalog, {
      secret: policy({
        effect: 'DENY',
        privileges: ['VIEW_ENTITY_PAGE'],
        actors: { allUsers: true },
        criteria: [{ field: 'TAG', values: ['urn:li:tag:secret'] }],
      }),
    });
    await show(made!);
    await web.says('.box.removed', 'removed');
    await web.says('.box.missing', 'not described');
    expect(await count('.box.hidden')).toBe(0);
    await web.page.evaluate('sessionStorage.clear()');
    await web.visit('/');
    const { token } = await web.catalog.issueToken({ user: 'ada', role: 'READER' });
    await web.signIn(token);
    await web.page.waitForSelector('.user button');
    await show(made!);
    // Whether something exists of which nobody may know is not told either.
    await web.says('.box.hidden', '2 upstream, hidden from you');
    expect(await boxes()).not.toContain('seen.secret');
    await looksWell('lineage-hidden');
  });

  it('stays usable with a thousand entities', async () => {
    const lines: Array<[string, string, unknown]> = [[ROOT, 'datasetProperties', { name: 'root' }]];
    for (let one = 0; one < FIRST; one += 1) {
      lines.push([dataset(`wide.${one}`), 'upstreamLineage', lineageOf(ROOT)]);
      for (let two = 0; two < SECOND; two += 1)
        lines.push([dataset(`wide.${one}.${two}`), 'upstreamLineage', lineageOf(dataset(`wide.${one}`))]);
    }
    for (let from = 0; from < lines.length; from += 300)
      await web.catalog.ingest(...lines.slice(from, from + 300));
    await show(ROOT);
    await web.says('.picture [role=status]', `${FIRST + 1} entities`);
    await press('One step further');
    await web.says('.picture [role=status]', '1,000 entities: the picture holds no more');
    await still();
    // Only what is in sight is in the page.
    expect(await count('.react-flow__node')).toBeLessThan(300);
    await press('Show all');
    await web.page.waitForSelector('.box.far');
    await web.browser.picture('web-lineage-1000');
    // Until it is near: the picture may show all of it only after the first presses.
    await until(async () => {
      await press('Closer');
      return (await count('.box.far')) === 0;
    });
    await looksWell('lineage-1000');
  });

  it('asks for nothing outside, and nothing fails', () => {
    expect(web.outside()).toEqual([]);
    expect(web.browser.complaints).toEqual([]);
  });
});
