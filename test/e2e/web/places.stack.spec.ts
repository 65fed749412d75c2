import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleFound } from '../../harness/sample.js';
import { WebPages } from './support.js';

const EMAIL = 'urn:li:glossaryTerm:Privacy.EmailAddress';

describe('the web application: glossary, domains, browsing, structured properties', () => {
  let web: WebPages;
  beforeAll(async () => {
    web = await WebPages.open();
    await sampleFound(web.catalog);
    await web.visit('/');
    await web.signIn();
    await web.says('.user', 'admin');
  });
  afterAll(() => web?.close());

  /** Clicks on what is found now: pages that were looked at were opened anew. */
  const click = async (selector: string) => {
    const found = await web.page.waitForSelector(selector, { visible: true });
    await found!.click();
  };
  const follow = (label: string) => click(`.places ::-p-text(${label})`);
  const focused = () =>
    web.page.evaluate(`document.activeElement.querySelector('.name')?.textContent ?? null`);
  const total = async () => Number(/^\d+/.exec(await web.text('h1 [role=status]'))?.[0]);
  /** Waits for the results of a search that is limited somehow, and counts them. */
  const results = async () => {
    await web.page.waitForSelector('.search[aria-busy=false] .hit');
    return total();
  };

  it('opens the glossary level by level, with the keyboard', async () => {
    await follow('Glossary');
    await web.page.waitForSelector('[role=treeitem]');
    const top = await web.texts('[role=treeitem] .name');
    expect(top).toEqual(['Commerce', 'Finance', 'Logistics', 'Marketing', 'Privacy', 'Tea']);
    expect(await web.texts('[role=treeitem] .quiet')).toContain('11 inside');
    await web.page.focus('[role=treeitem][tabindex="0"]');
    expect(await focused()).toBe('Commerce');
    await web.page.keyboard.press('p');
    expect(await focused()).toBe('Privacy');
    await web.page.keyboard.press('ArrowRight');
    await web.page.waitForSelector('[role=treeitem][aria-level="2"]');
    await web.page.keyboard.press('ArrowRight');
    // Folders come before terms.
    expect(await focused()).toBe('Contact details');
    await web.page.keyboard.press('ArrowRight');
    await web.page.waitForSelector('[role=treeitem][aria-level="3"]');
    await web.page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Email address');
    await web.page.keyboard.press('Enter');
    await web.says('.chosen h2', 'Email address');
    expect(web.page.url()).toContain('EmailAddress');
    await web.page.keyboard.press('ArrowLeft');
    expect(await focused()).toBe('Contact details');
    await web.page.keyboard.press('ArrowLeft');
    await web.page.waitForFunction(`!document.querySelector('[role=treeitem][aria-level="3"]')`);
    await web.page.keyboard.press('End');
    expect(await focused()).toBe('Tea');
    await web.page.keyboard.press('Home');
    expect(await focused()).toBe('Commerce');
  });

  it('says how programs get what is shown', async () => {
    const shown = async (place: string, command: string | undefined, ...texts: string[]) => {
      await web.visit(place);
      await web.page.waitForSelector('.same-as summary');
      await click('.same-as summary');
      expect(await web.text('.same-as [aria-label=curl] pre')).toContain('curl -sSf');
      const last = (await web.texts('.same-as [aria-label="Command line"] pre'))[0];
      expect(last).toBe(command && `npm run catalog -- ${command}`);
      for (const text of texts) expect(await web.text('.same-as')).toContain(text);
    };
    await shown('/', `search '*' --count 20`, 'searchAcrossEntities');
    await shown('/browse', undefined, 'aggregateAcrossEntities');
    await shown('/domains', undefined, 'parentDomain');
    await shown('/properties', 'search --entity structuredProperty --count 50', 'definition');
    await shown('/model', undefined, '/openapi/v1/registry/models/entity/specifications');
  });

  it('opens the tree at the term of the address, and leads to the assets that have it', async () => {
    await web.visit(`/glossary?urn=${EMAIL}`);
    await web.says('[aria-selected=true]', 'Email address');
    await web.says('.ways', 'asset');
    await web.looksWell('glossary');
    const link = '.ways a[href*=filters]';
    const said = Number(/^\d+/.exec(await web.text(link))?.[0]);
    expect(said).toBeGreaterThan(0);
    await click(link);
    expect(await results()).toBe(said);
  });

  it('leads from a user to what is owned', async () => {
    await web.visit(`/entity?urn=urn:li:corpuser:ines.okafor`);
    const link = '.actions a[href*=filters]';
    await web.says('.actions', 'Owns ');
    const said = Number(/\d+/.exec(await web.text(link))?.[0]);
    await click(link);
    expect(await results()).toBe(said);
  });

  it('has a tree of domains', async () => {
    await follow('Domains');
    await web.page.waitForSelector('[role=treeitem]');
    expect(await web.texts('[role=treeitem] .name')).toContain('Logistics');
    await click('[role=treeitem] ::-p-text(Logistics)');
    await web.says('.chosen h2', 'Logistics');
    await web.says('.ways', 'assets have it');
    await web.looksWell('domains');
  });

  it('leads from a platform through what things lie in to a search', async () => {
    await follow('Browse');
    await web.says('.cards', 'Snowflake');
    await web.looksWell('browse');
    await click('.card > a::-p-text(Snowflake)');
    await click('.card > a::-p-text(brew)');
    await web.says('h1', 'brew');
    await web.says('.card', 'marts');
    await web.looksWell('browse-path');
    const schema = await web.text('.card');
    await click('.card > a');
    await web.says('.results', 'In brew / marts');
    expect(await results()).toBe(Number(/(\d+) assets/.exec(schema)?.[1]));
    // The way back is in the address.
    await web.page.goBack();
    await web.says('h1', 'brew');
  });

  it('shows structured properties with their rules, and who carries them', async () => {
    await follow('Structured properties');
    const link = 'td a[aria-label$="with Retention in days"]';
    const row = await web.text(`tr:has(${link})`);
    expect(row).toContain('Number, one');
    expect(row).toContain('2555 Seven years');
    expect(row).toContain('Dataset, Data flow');
    await web.page.waitForFunction(
      `[...document.querySelectorAll('tbody td:last-child')].every((cell) => cell.textContent !== '…')`,
    );
    await web.looksWell('structured-properties');
    const said = Number(await web.text(link));
    await click(link);
    expect(await results()).toBe(said);
  });

  it('shows the model: types, aspects, fields, and who refers to whom', async () => {
    await follow('Model');
    await web.says('.model', 'types of entities');
    const types = (await web.texts('.kinds li')).length;
    expect(types).toBeGreaterThan(70);
    await web.looksWell('model');
    // The page may have been opened anew for another look.
    await web.page.waitForSelector('.kinds input');
    await web.page.type('.kinds input', 'tabl feature');
    await web.page.waitForFunction(`document.querySelectorAll('.kinds li').length < ${types}`);
    expect(await web.texts('.kinds li')).toContain('ML feature table');
    await web.visit('/model?entity=tag');
    await web.says('.model h2', 'Tag');
    // Each by the registry of the service.
    const kind = (await web.catalog.get('/openapi/v1/registry/models/entity/specifications/tag')).body;
    expect(await web.texts('.aspects-of dt')).toEqual(kind.aspectSpecs.map(({ name }: any) => name));
    expect(await web.text('[aria-label="Refers to"]')).toContain('OwnedByownership/owners/*/ownerGroupUser');
    expect(await web.text('[aria-label="Referred to by"]')).toContain('TaggedWith');
    await web.looksWell('model-entity');
    await click('.aspects-of a::-p-text(ownership)');
    await web.says('.fields-of', 'owners/*/typeUrn');
    expect(await web.text('.fields-of')).toContain('Found by owners');
    expect(await web.text('.fields-of')).toContain('OwnedBy:UserGroup');
    await web.looksWell('model-aspect');
    await click('.refers a::-p-text(Group)');
    await web.says('.model h2', 'Group');
  });

  it('asks for nothing outside, and nothing fails', () => {
    expect(web.outside()).toEqual([]);
    expect(web.browser.complaints).toEqual([]);
  });
});
