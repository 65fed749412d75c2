import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Model } from '../../../src/catalog/model/index.js';
import { parseUrn } from '../../../src/catalog/urn/index.js';
import { Examples } from '../../../src/modules/openapi/examples/examples.js';
import { TestCatalog } from '../../harness/catalog.js';
import { importSample, SAMPLE, SAMPLE_LINES, type SampleLine } from '../../harness/sample.js';
import { encoded, expectRefusal } from '../aspect-api/support.js';
import { path, valueOf } from './support.js';

const model = Model.load();
const examples = new Examples(model, SAMPLE);
const entities = [...model.entities.values()];

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  // Other entities of this test have values of them.
  const isProperty = ({ entityType }: SampleLine) => entityType === 'structuredProperty';
  await importSample(catalog, SAMPLE_LINES.filter(isProperty));
});
afterAll(() => catalog.stop());

describe.each(entities)('$name', (entity) => {
  // What ships with the service stays: other entities of this test refer to it.
  const shipped = entity.name === 'dataType' || entity.name === 'entityType';
  const urn = shipped ? `urn:li:${entity.name}:acme.colour` : examples.urn(entity);
  const { key } = model.keyFromUrn(parseUrn(urn));
  const aspects = [...entity.aspects.values()].filter((aspect) => aspect !== entity.key);

  it.each(['v2', 'v3'])('every aspect is written, read, asked for and deleted in %s', async (version) => {
    for (const aspect of aspects) {
      const url = path(urn, aspect.name, version);
      const given = structuredClone(examples.value(entity, aspect));
      const where = `${entity.name} ${aspect.name}`;
      const body = version === 'v3' ? { value: given } : given;
      const written = await catalog.post(url, body);
      expect([where, written.status, written.status === 200 ? '' : written.text]).toEqual([where, 200, '']);
      const holder = version === 'v3' ? written.body : written.body.aspects;
      if (aspect.secret) {
        expect([where, holder[aspect.name]]).toEqual([where, undefined]);
      } else {
        const { value } = holder[aspect.name];
        expect(value).toMatchObject(given as object);
        const read = await catalog.get(url);
        expect(version === 'v3' ? read.body[aspect.name].value : read.body.value).toEqual(value);
        expect([where, (await catalog.request('HEAD', url)).status]).toEqual([where, 204]);
      }
      const gone = await catalog.request('DELETE', url);
      if (aspect.name === 'propertyDefinition') {
        // A property cannot be without its definition; the property itself can be deleted.
        expectRefusal(gone, 400, 'RULE_VIOLATED');
        continue;
      }
      expect([where, gone.status, gone.text]).toEqual([where, 200, '']);
      expect([where, (await catalog.get(url)).status]).toEqual([where, 404]);
      expect([where, (await catalog.request('HEAD', url)).status]).toEqual([where, 404]);
    }
  });

  it('is written in one batch, listed, and deleted', async () => {
    const versioned = aspects.filter((aspect) => aspect.kind === 'versioned');
    const item = Object.fromEntries(
      versioned.map((aspect) => [aspect.name, { value: structuredClone(examples.value(entity, aspect)) }]),
    );
    item['status'] &&= { value: { removed: false } };
    if (versioned.length === 0) item[entity.key.name] = { value: key };
    const written = await catalog.post(`/openapi/v3/entity/${entity.name.toUpperCase()}?async=false`, [
      { urn, ...item },
    ]);
    expect([written.status, written.status === 200 ? '' : written.text]).toEqual([200, '']);
    const shown = Object.keys(item).filter((name) => entity.aspects.get(name)?.secret !== true);
    expect(Object.keys(written.body[0] as object).sort()).toEqual(['urn', ...shown].sort());
    expect(await valueOf(catalog, urn, entity.key.name)).toEqual(key);
    const { body } = await catalog.get(
      `/openapi/v3/entity/${entity.name}?count=100&aspects=${entity.key.name}`,
    );
    expect(body.entities.map((found: { urn: string }) => found.urn)).toContain(urn);
    const gone = await catalog.request('DELETE', `/openapi/v3/entity/${entity.name}/${encoded(urn)}`);
    expect([gone.status, gone.text]).toEqual([200, '']);
    expect((await catalog.get(path(urn))).status).toBe(404);
    // Behind the request it is taken off what refers to it: that must not meet what the next entities write.
    const clearing = gone.headers.get('location');
    const pending = async () => (await catalog.get(clearing!)).body.state === 'PENDING';
    while (clearing !== null && (await pending())) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
