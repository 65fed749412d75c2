import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ADMIN_TOKEN } from '../../harness/catalog.js';
import { SAMPLE_LINES } from '../../harness/sample.js';
import { WebPages } from './support.js';

const run = promisify(execFile);
const PARCELS = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,brew.marts.parcel_delays,PROD)';
/** Its lineage names fields of datasets by an older type of URN. */
const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,brew.marts.orders,PROD)';
const TEXT = 'urn:li:dataset:(urn:li:dataPlatform:hive,told_twice,PROD)';
const HOSTILE = 'urn:li:dataset:(urn:li:dataPlatform:hive,hostile,PROD)';
/** An entity of each type of the sample. */
const ONE_OF_EACH = [...new Map(SAMPLE_LINES.map((line) => [line.entityType, line.entityUrn]))];

describe('the web application: entities', () => {
  let web: WebPages;
  beforeAll(async () => {
    web = await WebPages.open();
    await web.visit('/');
    await web.signIn();
    await web.says('.user', 'admin');
  });
  afterAll(() => web?.close());

  const place = (urn: string, tab?: string) =>
    `/entity?urn=${encodeURIComponent(urn)}${tab === undefined ? '' : `&tab=${tab}`}`;

  /** Goes to a page within the application. */
  const show = async (urn: string, tab?: string) => {
    await web.page.evaluate(`location.hash = ${JSON.stringify(`#${place(urn, tab)}`)}`);
    await web.page.waitForFunction(
      `document.querySelector('.entity[aria-busy=false] .urn')?.textContent === ${JSON.stringify(urn)}`,
    );
    await web.page.waitForSelector('.tab');
  };

  it('shows what a dataset is, who owns it and where it belongs', async () => {
    await web.visit(place(PARCELS));
    await web.says('h1', 'parcel_delays');
    await web.says('.markdown', 'Parcels that came after the promised day');
    await web.says('.side', 'Logistics');
    expect(await web.texts('.side h2')).toEqual(
      expect.arrayContaining(['Owners', 'Domain', 'Tags', 'Terms']),
    );
    // Names, not URNs.
    expect(await web.texts('.side .entity-link')).not.toContainEqual(expect.stringContaining('urn:li:'));
    await web.looksWell('entity');
  });

  it('names what a dataset refers to, also beside texts that look like URNs of types that there are not', async () => {
    await show(ORDERS);
    await web.says('.side', 'Ines Okafor');
    await web.says('.side', 'Retention in days');
    await web.says('.side', 'Data owner');
  });

  it('filters columns', async () => {
    await show(PARCELS, 'columns');
    await web.page.waitForSelector('tbody tr');
    const all = await web.texts('tbody th');
    expect(all.length).toBeGreaterThan(3);
    await web.page.type('.filter input', 'late');
    await web.says('.filter', `of ${all.length}`);
    await web.says('tbody mark', 'late');
    const found = await web.texts('tbody th');
    expect(found.length).toBeLessThan(all.length);
    expect(found).toContain('days_late');
    await web.looksWell('columns');
  });

  it.each(['statistics', 'details', 'raw', 'same'])('shows the tab %s', async (tab) => {
    await show(PARCELS, tab);
    await web.page.waitForSelector('.panel > *');
    await web.page.waitForFunction(`document.querySelector('.panel [role=status]') === null`);
    expect(await web.text('.panel')).not.toBe('');
    await web.looksWell(`entity-${tab}`);
  });

  it('shows what changed, who did it and when, with the words that came and went', async () => {
    const described = (description: string) =>
      web.catalog.propose(TEXT, 'datasetProperties', { name: 'told twice', description });
    const schema = (fieldPath: string, nativeDataType: string) =>
      web.catalog.propose(TEXT, 'schemaMetadata', {
        schemaName: 'told',
        platform: 'urn:li:dataPlatform:hive',
        version: 0,
        hash: '',
        platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
        fields: [{ fieldPath, nativeDataType, type: { type: { 'com.linkedin.schema.NumberType': {} } } }],
      });
    await described('Orders of a day');
    await schema('total', 'INT');
    await schema('total', 'BIGINT');
    await described('Orders of a whole day');
    await show(TEXT, 'history');
    await web.page.waitForSelector('.history ins');
    // The newest comes first.
    expect(await web.text('.history > li:first-child ins')).toBe('whole');
    expect(await web.text('.history > li:first-child')).toMatch(/admin/);
    expect(await web.texts('.history li li')).toContain('Column total is now BIGINT, it was INT.');
    await web.page.select('#history-category', 'TECHNICAL_SCHEMA');
    await web.page.waitForFunction(`document.querySelector('.history ins') === null`);
    expect(await web.texts('.history li li')).toHaveLength(2);
    await web.page.select('#history-category', '');
    await web.looksWell('history');
  });

  it('is reached with the keyboard, and the address says which tab', async () => {
    await show(PARCELS);
    await web.page.focus('.tab[data-selected]');
    await web.page.keyboard.press('ArrowRight');
    await web.page.waitForSelector('.panel table');
    expect(web.page.url()).toContain('tab=columns');
  });

  it('gives commands that print the same', async () => {
    await show(PARCELS, 'same');
    const curl = await web.text('section[aria-label=curl] pre');
    const shown = await web.page.$eval('section[aria-label=curl] pre', (pre) => pre.textContent ?? '');
    expect(curl).toContain('/api/graphql');
    const { stdout } = await run('sh', ['-c', shown], {
      env: { ...process.env, CATALOG_TOKEN: ADMIN_TOKEN },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      data: { entity: { urn: PARCELS, displayName: 'parcel_delays', exists: true } },
    });
  });

  it(`shows an entity of each of the ${ONE_OF_EACH.length} types of the sample`, async () => {
    expect(ONE_OF_EACH.length).toBeGreaterThan(60);
    for (const [type, urn] of ONE_OF_EACH) {
      await show(urn);
      expect({ type, alerts: await web.texts('[role=alert]') }).toEqual({ type, alerts: [] });
      await show(urn, 'raw');
      await web.page.waitForSelector('.aspects details');
    }
  });

  it('takes nothing from metadata as HTML', async () => {
    const description = [
      '# Title',
      '<script>window.broken = 1</script><b onclick="x()">bold</b> <img src="https://example.com/x.png">',
      '[bad](javascript:window.broken=1) [good](https://example.com/) ![picture](https://example.com/y.png)',
      '**strong**',
    ].join('\n\n');
    await web.catalog.propose(HOSTILE, 'datasetProperties', { name: '<i>hostile</i>', description });
    await show(HOSTILE);
    await web.says('.markdown', 'strong');
    await web.says('.markdown', '<script>window.broken = 1</script>');
    await web.says('h1', '<i>hostile</i>');
    expect(await web.page.$$eval('.markdown :is(script, b, img, i)', (found) => found.length)).toBe(0);
    expect(await web.texts('.markdown h3')).toEqual(['Title']);
    expect(
      await web.page.$$eval('.markdown a[href]', (found) => found.map((a) => a.getAttribute('href'))),
    ).toEqual(['https://example.com/', 'https://example.com/y.png']);
    expect(await web.page.evaluate('window.broken === undefined')).toBe(true);
  });

  it('has no place for what entities of a type cannot have', async () => {
    await web.visit(place('urn:li:dataPlatform:snowflake'));
    await web.says('h1', 'Snowflake');
    await web.page.waitForFunction(`document.querySelectorAll('.overview .side h2').length === 0`);
  });

  it('says that an entity is not known, and that one was removed', async () => {
    await web.page.evaluate(`location.hash = ${JSON.stringify(`#${place('urn:li:tag:nobody-made-it')}`)}`);
    await web.says('[role=alert]', 'Nothing is known');
    await web.catalog.propose(HOSTILE, 'status', { removed: true });
    await web.visit(place(HOSTILE));
    await web.says('.warning', 'Removed');
  });

  it('asks for nothing outside, and nothing fails', () => {
    expect(web.outside()).toEqual([]);
    expect(web.browser.complaints).toEqual([]);
  });
});
