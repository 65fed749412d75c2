import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, TestCatalog } from '../../harness/catalog.js';
import { dataset, expectRefusal } from './support.js';

describe('with CATALOG_REFERENCES=strict', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start({ CATALOG_REFERENCES: 'strict' });
  });
  afterAll(() => catalog?.stop());

  const tag = (name: string) => `urn:li:tag:${name}`;
  const tagged = (name: string, ...tags: string[]) =>
    proposal(dataset(name), 'globalTags', { tags: tags.map((one) => ({ tag: tag(one) })) });
  const made = (name: string) => proposal(tag(name), 'tagProperties', { name });
  const batch = (...proposals: object[]) =>
    catalog.post('/aspects?action=ingestProposalBatch', { proposals });

  it('a tag that does not exist is refused', async () => {
    await catalog.ingest([tag('there'), 'tagProperties', { name: 'there' }]);
    const answer = await batch(tagged('strict.a', 'there', 'gone'));
    expectRefusal(answer, 422, 'REFERENCE_MISSING', '/proposals/0/aspect/value/tags/1/tag');
    expect(answer.body.message).toContain('urn:li:tag:gone does not exist');
    expect(await catalog.read(dataset('strict.a'), 'globalTags')).toBeUndefined();
    expect((await batch(tagged('strict.a', 'there'))).status).toBe(200);
  });

  it('a tag may be made by the same batch, before it is named and after', async () => {
    expect((await batch(made('before'), tagged('strict.b', 'before', 'after'), made('after'))).status).toBe(
      200,
    );
    expect(await catalog.read(dataset('strict.b'), 'globalTags')).toMatchObject({
      tags: [{ tag: tag('before') }, { tag: tag('after') }],
    });
  });

  it('a tag that the same batch only deletes is none', async () => {
    const gone = { entityType: 'tag', entityUrn: tag('never'), changeType: 'DELETE', aspectName: 'tagKey' };
    expectRefusal(await batch(tagged('strict.c', 'never'), gone), 422, 'REFERENCE_MISSING');
  });

  it('a dataset may be named before it exists', async () => {
    const upstreams = [{ dataset: dataset('strict.later'), type: 'TRANSFORMED' }];
    expect((await batch(proposal(dataset('strict.d'), 'upstreamLineage', { upstreams }))).status).toBe(200);
  });
});
