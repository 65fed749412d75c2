import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataset, policy, putPolicies } from '../policies/policies.js';
import { LOOKS_OF_DIALOGS, WebPages } from './support.js';

const ORDERS = dataset('shop.orders');

describe('the web application: edits', () => {
  let web: WebPages;
  beforeAll(async () => {
    web = await WebPages.open();
    await web.catalog.ingest(
      [ORDERS, 'datasetProperties', { name: 'orders', description: 'From the shop' }],
      [ORDERS, 'globalTags', { tags: [{ tag: 'urn:li:tag:gold' }] }],
    );
    await web.visit('/');
    await web.signIn((await web.catalog.issueToken({ user: 'ann', role: 'EDITOR' })).token);
    await web.says('.user', 'ann');
    await show();
  });
  afterAll(() => web?.close());

  const show = (urn = ORDERS) => web.visit(`/entity?urn=${encodeURIComponent(urn)}`);
  const button = (label: string) => `button[aria-label=${JSON.stringify(label)}]`;
  const press = async (selector: string) => {
    const found = await web.page.waitForSelector(selector, { visible: true });
    await found!.focus();
    await web.page.keyboard.press('Enter');
  };
  const open = async (what: string) => {
    await press(button(`Edit ${what}`));
    await web.page.waitForSelector('[role=dialog] .dialog-panel');
  };
  const cancel = async () => {
    await web.page.keyboard.press('Escape');
    await web.page.waitForSelector('[role=dialog]', { hidden: true });
  };
  const save = () => press('[role=dialog] button[type=submit]');
  const plan = () => web.texts('.plan li');
  const done = (words: string) => web.says('.done', words);
  const looksWell = (name: string) => web.looksWell(`edit-${name}`, LOOKS_OF_DIALOGS);
  /** Finds an entity by its name and takes it, with the keyboard alone. */
  const pick = async (name: string) => {
    await web.page.type('[role=dialog] [role=combobox]', name);
    await web.says('[role=option]', name);
    await web.page.keyboard.press('ArrowDown');
    await web.page.waitForSelector('[role=option][data-focus]');
    await web.page.keyboard.press('Enter');
    await web.says('[role=dialog] .picked:last-child', name);
  };
  const fill = async (selector: string, text: string) => {
    await web.page.waitForSelector(selector);
    await web.page.$eval(selector, (field) => (field as unknown as { select(): void }).select());
    await web.page.type(selector, text);
  };
  const tags = async () =>
    ((await web.catalog.read(ORDERS, 'globalTags')).tags as Array<{ tag: string }>).map(({ tag }) => tag);

  it('adds and takes tags, says so before, and undoes it', async () => {
    await open('tags');
    expect(await web.text('.plan')).toBe('Changes nothing so far.');
    await pick('PII');
    expect(await plan()).toEqual(['Adds the tag PII to orders']);
    await press(button('Take out gold'));
    expect(await plan()).toEqual(['Takes the tag gold from orders', 'Adds the tag PII to orders']);
    await looksWell('tags');
    await save();
    await done('Done: Takes the tag gold from orders. Adds the tag PII to orders.');
    expect(await tags()).toEqual(['urn:li:tag:PII']);
    await web.says('.side', 'PII');
    await web.looksWell('edited');
  });

  it('says who changed it before, and keeps what they did', async () => {
    await show();
    await open('tags');
    await pick('Tier1');
    await web.catalog.propose(ORDERS, 'globalTags', {
      tags: [{ tag: 'urn:li:tag:PII' }, { tag: 'urn:li:tag:gold' }],
    });
    await save();
    await web.says('[role=alert]', 'Another user changed it in the meantime. Now it is: PII, gold.');
    expect(await plan()).toEqual(['Adds the tag Tier1 to orders']);
    await looksWell('conflict');
    await save();
    await done('Adds the tag Tier1');
    expect(await tags()).toEqual(['urn:li:tag:PII', 'urn:li:tag:gold', 'urn:li:tag:Tier1']);
    await press('.done button');
    await done('Takes the tag Tier1 from orders');
    expect(await tags()).toEqual(['urn:li:tag:PII', 'urn:li:tag:gold']);
  });

  it('attaches terms', async () => {
    await open('terms');
    await pick('Net revenue');
    expect(await plan()).toEqual(['Adds the term Net revenue to orders']);
    await looksWell('terms');
    await save();
    await done('Adds the term Net revenue');
    expect(await web.catalog.read(ORDERS, 'glossaryTerms')).toMatchObject({
      terms: [{ urn: 'urn:li:glossaryTerm:Finance.NetRevenue' }],
    });
  });

  it('writes descriptions beside the ingested one, and undoes it', async () => {
    await open('description');
    await fill('[role=dialog] textarea', 'What was **ordered**');
    expect(await plan()).toEqual(['Writes the description of orders']);
    await looksWell('description');
    await save();
    await web.says('.markdown strong', 'ordered');
    expect(await web.catalog.read(ORDERS, 'editableDatasetProperties')).toMatchObject({
      description: 'What was **ordered**',
    });
    await press('.done button');
    await web.says('.markdown', 'From the shop');
    await done('Removes what people wrote');
  });

  it('says in place that a policy refuses, takes back what it showed, and offers it no more', async () => {
    await open('tags');
    await press(button('Take out gold'));
    await putPolicies(web.catalog, {
      noTags: policy({
        privileges: ['EDIT_ENTITY_TAGS'],
        effect: 'DENY',
        actors: { users: ['urn:li:corpuser:ann'] },
      }),
    });
    await save();
    await web.says('[role=dialog] [role=alert]', 'Refused');
    await looksWell('refused');
    await cancel();
    await web.says('.side', 'gold');
    expect(await tags()).toContain('urn:li:tag:gold');
    await web.page.waitForSelector(button('Edit tags'), { hidden: true });
    await web.page.waitForSelector(button('Edit terms'));
  });

  it('offers nothing to readers', async () => {
    const { token } = await web.catalog.issueToken({ user: 'rob', role: 'READER' });
    await press('.user button');
    const rights = web.page.waitForResponse((answer) => {
      return answer.request().postData()?.includes('query Rights') === true;
    });
    await web.signIn(token);
    await web.says('.user', 'rob');
    await web.says('.side', 'gold');
    expect((await (await rights).json()).data.entity.privileges.canEditTags).toBe(false);
    expect(await web.texts('button.edit')).toEqual([]);
  });

  it('asks for nothing outside, and nothing fails', () => {
    expect(web.outside()).toEqual([]);
    expect(web.browser.complaints.filter((text) => !/status of 40[03]/.test(text))).toEqual([]);
  });
});
