import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataset, policy, putPolicies } from '../policies/policies.js';
import { LOOKS_OF_DIALOGS, WebPages } from './support.js';

const ORDERS = dataset('shop.orders');
const AMOUNT = {
  fieldPath: 'amount',
  type: { type: { 'com.linkedin.schema.NumberType': {} } },
  nativeDataType: 'DECIMAL',
  description: 'As the till says',
  globalTags: { tags: [{ tag: 'urn:li:tag:gold' }] },
};
const SCHEMA = {
  schemaName: 'orders',
  platform: 'urn:li:dataPlatform:hive',
  version: 0,
  hash: '',
  platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
  fields: [AMOUNT],
};

const STEWARD = 'urn:li:structuredProperty:shop.steward';
const NOTES = 'urn:li:structuredProperty:shop.notes';
const property = (displayName: string, valueType: string, more = {}) => ({
  qualifiedName: `shop.${displayName.toLowerCase()}`,
  displayName,
  valueType: `urn:li:dataType:platform.${valueType}`,
  cardinality: 'SINGLE',
  entityTypes: ['urn:li:entityType:platform.dataset', 'urn:li:entityType:platform.schemaField'],
  ...more,
});

describe('the web application: edits', () => {
  let web: WebPages;
  beforeAll(async () => {
    web = await WebPages.open();
    await web.catalog.ingest(
      [ORDERS, 'datasetProperties', { name: 'orders', description: 'From the shop' }],
      [ORDERS, 'globalTags', { tags: [{ tag: 'urn:li:tag:gold' }] }],
      [ORDERS, 'schemaMetadata', SCHEMA],
      [
        STEWARD,
        'propertyDefinition',
        property('Steward', 'urn', {
          typeQualifier: { allowedTypes: ['urn:li:entityType:platform.corpuser'] },
        }),
      ],
      [NOTES, 'propertyDefinition', property('Notes', 'rich_text')],
    );
    await web.visit('/');
    await web.signIn((await web.catalog.issueToken({ user: 'ann', role: 'EDITOR' })).token);
    await web.says('.user', 'ann');
    await show();
  });
  afterAll(() => web?.close());

  const show = (tab = 'overview') => web.visit(`/entity?urn=${encodeURIComponent(ORDERS)}&tab=${tab}`);
  const button = (label: string) => `button[aria-label=${JSON.stringify(label)}]`;
  const press = async (selector: string) => {
    const found = await web.page.waitForSelector(selector, { visible: true });
    await found!.focus();
    await web.page.keyboard.press('Enter');
  };
  const open = async (what: string) => {
    // What was saved may be shown before its dialog has closed.
    await web.page.waitForSelector('[role=dialog]', { hidden: true });
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
  const pick = async (name: string, place = '[role=combobox]', shown = '.picked:last-child') => {
    const found = await web.page.waitForSelector(`[role=dialog] ${place}`);
    await found!.type(name);
    // The first one is chosen without an arrow key.
    await web.says('[role=option]:first-of-type[data-focus]', name);
    await web.page.keyboard.press('Enter');
    await web.says(`[role=dialog] ${shown}`, name);
  };
  const action = (name: string) => press(`.actions ::-p-text(${name})`);
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

  it('gives owners roles, and undoes it', async () => {
    await open('owners');
    await pick('Kenji Amari', '[role=combobox]', '.rows li:last-child');
    expect(await plan()).toEqual(['Adds Kenji Amari as Technical owner of orders']);
    await web.page.select('[aria-label="Role of Kenji Amari"]', 'urn:li:ownershipType:data-taster');
    expect(await plan()).toEqual(['Adds Kenji Amari as Data taster of orders']);
    await looksWell('owners');
    await save();
    await done('Adds Kenji Amari as Data taster of orders');
    await web.says('.side', 'Data taster');
    expect((await web.catalog.read(ORDERS, 'ownership')).owners).toMatchObject([
      { owner: 'urn:li:corpuser:kenji.amari', typeUrn: 'urn:li:ownershipType:data-taster' },
    ]);
    await press('.done button');
    await done('Takes off Kenji Amari as Data taster of orders');
    expect((await web.catalog.read(ORDERS, 'ownership')).owners).toEqual([]);
  });

  it('puts it into one domain', async () => {
    await open('domain');
    await pick('Logistics');
    expect(await plan()).toEqual(['Puts orders into the domain Logistics']);
    await save();
    await done('Puts orders into the domain Logistics');
    await open('domain');
    await pick('Finance');
    expect(await plan()).toEqual(['Moves orders from the domain Logistics to Finance']);
    await save();
    await done('Moves orders');
    expect(await web.catalog.read(ORDERS, 'domains')).toMatchObject({ domains: ['urn:li:domain:finance'] });
    await press('.done button');
    await done('Moves orders from the domain Finance to Logistics');
  });

  it('sets structured properties by their rules, and says at the field what is refused', async () => {
    await open('structured properties');
    await pick('Retention in days', '[role=combobox]', 'fieldset:last-of-type');
    await press('[role=radiogroup] label:nth-child(2) input');
    await web.page.keyboard.press('Space');
    await pick('Audience', '[aria-label="Find properties"]', 'fieldset:last-of-type');
    // The rules of a property come after its name.
    for (const at of [1, 2])
      await (await web.page.waitForSelector(`[role=group] label:nth-child(${at}) input`))!.click();
    await pick('Promised freshness', '[aria-label="Find properties"]', 'fieldset:last-of-type');
    await fill('fieldset [inputmode=decimal]', 'soon');
    expect(await plan()).toEqual([
      'Sets Retention in days of orders to 90',
      'Sets Audience of orders to everyone, analysts',
      'Sets Promised freshness in hours of orders to soon',
    ]);
    await save();
    await web.says('fieldset:last-of-type [role=alert]', 'should be a number');
    expect(await web.texts('[role=alert]')).toHaveLength(2);
    expect(await web.page.$$('[aria-invalid=true]')).toHaveLength(1);
    await looksWell('properties');
    await fill('fieldset [inputmode=decimal]', '1.5');
    await save();
    await done('Sets Promised freshness in hours of orders to 1.5');
    const values = async () => (await web.catalog.read(ORDERS, 'structuredProperties')).properties;
    expect(await values()).toMatchObject([
      { values: [{ double: 90 }] },
      { values: [{ string: 'everyone' }, { string: 'analysts' }] },
      { values: [{ double: 1.5 }] },
    ]);
    await press('.done button');
    await done('Takes Retention in days from orders');
    expect(await values()).toEqual([]);
  });

  it('sets days, entities, Markdown and numbers as structured properties', async () => {
    const last = 'fieldset:last-of-type';
    const add = (name: string) => pick(name, '[aria-label="Find properties"]', last);
    await open('structured properties');
    await add('Reviewed on');
    await web.page.waitForSelector(`${last} [type=date]`);
    await web.page.type(`${last} [type=date]`, '02032026');
    await add('Steward');
    await pick('Kenji Amari', `${last} [role=combobox]`, `${last} .picked`);
    await add('Notes');
    await fill(`${last} textarea`, 'Closed **monthly**');
    await add('Promised freshness');
    await fill(`${last} [inputmode=decimal]`, '-0.25');
    expect(await plan()).toEqual([
      'Sets Reviewed on of orders to 2026-02-03',
      'Sets Steward of orders to Kenji Amari',
      'Sets Notes of orders to Closed **monthly**',
      'Sets Promised freshness in hours of orders to -0.25',
    ]);
    await save();
    await done('Sets Notes of orders');
    expect((await web.catalog.read(ORDERS, 'structuredProperties')).properties).toMatchObject([
      { values: [{ string: '2026-02-03' }] },
      { propertyUrn: STEWARD, values: [{ string: 'urn:li:corpuser:kenji.amari' }] },
      { propertyUrn: NOTES, values: [{ string: 'Closed **monthly**' }] },
      { values: [{ double: -0.25 }] },
    ]);
    await web.says('.side', 'Kenji Amari');
    await press('.done button');
    await done('Takes Reviewed on from orders');
  });

  it('writes links', async () => {
    await open('links');
    await press('.dialog-panel .more');
    await fill('.links input', 'shop/orders');
    await fill('.links .field:nth-of-type(2) input', 'Handbook');
    await save();
    await web.says('.links [role=alert]', 'http');
    await fill('.links input', 'https://example.org/orders');
    await save();
    await done('Adds the link “Handbook” to orders');
    await web.page.waitForSelector('.side a[href="https://example.org/orders"]');
    await open('links');
    await fill('.links .field:nth-of-type(2) input', 'Manual');
    expect(await plan()).toEqual(['Calls the link “Handbook” of orders “Manual”']);
    await looksWell('links');
    await save();
    await done('Calls the link');
    expect((await web.catalog.read(ORDERS, 'institutionalMemory')).elements).toMatchObject([
      { url: 'https://example.org/orders', description: 'Manual' },
    ]);
  });

  it('brings a link back as it was, with where it is shown', async () => {
    const stored = async () => (await web.catalog.read(ORDERS, 'institutionalMemory')).elements;
    await open('links');
    await press('.links [type=checkbox]');
    await web.page.keyboard.press('Space');
    expect(await plan()).toEqual(['Shows the link “Manual” in previews of orders']);
    await save();
    await done('Shows the link');
    expect(await stored()).toMatchObject([{ settings: { showInAssetPreview: true } }]);
    await open('links');
    await press(button('Take out Manual'));
    await save();
    await done('Takes the link “Manual” from orders');
    expect(await stored()).toEqual([]);
    await press('.done button');
    await done('Adds the link “Manual” to orders');
    expect(await stored()).toMatchObject([
      { url: 'https://example.org/orders', description: 'Manual', settings: { showInAssetPreview: true } },
    ]);
  });

  /** What another user writes while a dialog is open, and what the dialog says then. */
  const conflicts: Array<
    [what: string, aspect: string, value: object, change: () => Promise<unknown>, now: string]
  > = [
    [
      'owners',
      'ownership',
      { owners: [{ owner: 'urn:li:corpuser:petra.vance', type: 'DATA_STEWARD' }] },
      () => pick('Kenji Amari', '[role=combobox]', '.rows li:last-child'),
      'Petra Vance as Data steward.',
    ],
    ['domain', 'domains', { domains: ['urn:li:domain:finance'] }, () => pick('Marketing'), 'Finance.'],
    [
      'links',
      'institutionalMemory',
      {
        elements: [
          {
            url: 'https://example.org/b',
            description: 'B',
            createStamp: { time: 1, actor: 'urn:li:corpuser:ann' },
          },
        ],
      },
      () => fill('.links .field:nth-of-type(2) input', 'Mine'),
      'B (https://example.org/b).',
    ],
    [
      'structured properties',
      'structuredProperties',
      { properties: [{ propertyUrn: NOTES, values: [{ string: 'theirs' }] }] },
      async () => {
        await pick('Steward', '[role=combobox]', 'fieldset:last-of-type');
        await pick('Kenji Amari', 'fieldset:last-of-type [role=combobox]', 'fieldset:last-of-type .picked');
      },
      'Notes: theirs.',
    ],
  ];
  it.each(conflicts)('says who changed it before: %s', async (what, aspect, value, change, now) => {
    await show();
    await open(what);
    await change();
    await web.catalog.propose(ORDERS, aspect, value);
    await save();
    await web.says('[role=dialog] .problem', 'Another user changed it');
    expect(await web.text('[role=dialog] .problem')).toContain(`Now it is: ${now}`);
    await cancel();
    expect(await web.catalog.read(ORDERS, aspect)).toMatchObject(value);
  });

  it('edits a column beside what its source says', async () => {
    await show('columns');
    await open('column amount');
    await fill('[role=dialog] textarea', 'With taxes');
    await pick('PII', '[aria-label="Find tags"]');
    expect(await plan()).toEqual(['Writes the description of amount', 'Adds the tag PII to amount']);
    await looksWell('column');
    await save();
    await done('Adds the tag PII to amount');
    await web.says('tbody', 'With taxes');
    expect(await web.texts('tbody .entity-link')).toEqual(['gold', 'PII']);
    await looksWell('columns');
    await press('.done button');
    await web.says('tbody', 'As the till says');
  });

  it('deprecates a column on its own page, and gives it structured properties', async () => {
    await show('columns');
    await press('tbody th a');
    await web.says('.entity', 'A column of orders: DECIMAL not null');
    await action('Deprecate');
    await fill('[role=dialog] textarea', 'Use total');
    expect(await plan()).toEqual(['Deprecates amount, with the note “Use total”']);
    await save();
    await web.says('.warning', 'Deprecated: Use total');
    await open('structured properties');
    await pick('Notes', '[role=combobox]', 'fieldset:last-of-type');
    await fill('fieldset textarea', 'In cents');
    await save();
    await done('Sets Notes of amount to In cents');
    await show('columns');
    await web.says('tbody th', 'deprecated');
    await web.says('tbody dl', 'In cents');
    await web.looksWell('column-properties');
  });

  it('shows on the page of a column what its table says of it, and edits that there', async () => {
    await press('tbody th a');
    await web.says('.overview', 'As the till says');
    expect(await web.texts('.side .entity-link')).toContain('gold');
    await press('.entity ::-p-text(Edit description, tags and terms)');
    await web.says('[role=dialog] h2', 'Edit column amount of orders');
    await fill('[role=dialog] textarea', 'In euros');
    await pick('PII', '[aria-label="Find tags"]');
    expect(await plan()).toEqual(['Writes the description of amount', 'Adds the tag PII to amount']);
    await save();
    await web.says('.overview', 'In euros');
    expect(await web.texts('.side .entity-link')).toEqual(expect.arrayContaining(['gold', 'PII']));
    await web.page.waitForSelector('[role=dialog]', { hidden: true });
    await web.looksWell('column-page');
  });

  it('deprecates with a day and a note', async () => {
    await show();
    await action('Deprecate');
    await fill('[role=dialog] textarea', 'Use the new one');
    await web.page.type('[type=date]', '06302027');
    expect(await plan()).toEqual([
      'Deprecates orders, gone on Jun 30, 2027, with the note “Use the new one”',
    ]);
    await looksWell('deprecation');
    await save();
    await web.says('.warning', 'Deprecated: Use the new one It will be gone on Jun 30, 2027.');
    expect(await web.catalog.read(ORDERS, 'deprecation')).toMatchObject({
      deprecated: true,
      decommissionTime: Date.UTC(2027, 5, 30),
    });
    await press('.done button');
    await done('Says that orders may be used again');
  });

  it('removes and restores, and searches show the removed when asked to', async () => {
    await action('Remove');
    await web.says('[role=dialog]', 'It can be restored.');
    await looksWell('removal');
    await save();
    await web.says('h1 .badge', 'removed');
    await looksWell('removed');
    await web.visit('/?q=shop.orders');
    await web.says('h1', 'entit');
    expect(await web.texts('.hit h2')).not.toContain('orders');
    await web.page.click('.facets > .check input');
    await web.says('.hit .badge', 'removed');
    expect(web.page.url()).toContain('removed=true');
    await looksWell('removed-found');
    await show();
    await action('Restore');
    expect(await plan()).toEqual(['Brings orders back']);
    await save();
    await done('Brings orders back');
    expect(await web.catalog.read(ORDERS, 'status')).toEqual({ removed: false });
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
