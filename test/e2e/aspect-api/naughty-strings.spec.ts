import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRequire } from 'node:module';
import { proposal, TestCatalog, type Answer } from '../../harness/catalog.js';
import { served } from '../../harness/served.js';
import { dataset, encoded, expectRefusal } from './support.js';

const NAUGHTY = [...new Set(createRequire(import.meta.url)('big-list-of-naughty-strings') as string[])];
const tagOf = (text: string): string => `urn:li:tag:${text}`;

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

/** Calls `job` for every string, some at a time; a failure names the string. */
async function each(job: (text: string, index: number) => Promise<void>): Promise<void> {
  const queue = [...NAUGHTY.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, text] = next;
      try {
        await job(text, index);
      } catch (error) {
        throw new Error(`string ${index}, ${JSON.stringify(text)}: ${(error as Error).message}`, {
          cause: error,
        });
      }
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

/** 200, or a refusal with a code; never a fault of ours. */
function expectCivil(answer: Answer): void {
  const { status, body } = answer;
  if (status === 200) return;
  // Of thousands of refusals: each `expect` makes an error, with its stack, for the case that it fails.
  const refused = status >= 400 && status < 500 && body?.status === status;
  if (refused && typeof body.code === 'string' && /^[A-Z_]+$/.test(body.code)) return;
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  expect(answer.body).toMatchObject({ status: answer.status, code: expect.stringMatching(/^[A-Z_]+$/) });
}

/** The rules for URNs, said once more: no control characters, no blanks around, not empty, parentheses balanced. */
function isId(text: string): boolean {
  return (
    text !== '' &&
    text.trimEnd() === text &&
    !/\p{Cc}/u.test(text) &&
    (!text.startsWith('(') || isBalanced(text))
  );
}

function isBalanced(text: string): boolean {
  let open = 0;
  for (const character of text) {
    open += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (open < 0) return false;
  }
  return open === 0;
}

it('the list is there', () => {
  expect(NAUGHTY.length).toBeGreaterThan(400);
  expect(NAUGHTY.filter(isId).length).toBeGreaterThan(400);
});

describe('naughty strings', () => {
  it('are kept in every text of an aspect', async () => {
    await each(async (text, index) => {
      const urn = dataset(`n${index}`);
      const value = {
        name: text,
        description: text,
        customProperties: { [text]: text, plain: text },
        qualifiedName: text,
        tags: [text],
      };
      const answer = await catalog.propose(urn, 'datasetProperties', value);
      expect([answer.status, answer.body]).toEqual([200, { value: urn }]);
      expect(await catalog.read(urn, 'datasetProperties')).toEqual(value);
    });
  });

  it('are kept in snapshots and events', async () => {
    await each(async (text, index) => {
      const urn = `urn:li:corpuser:n${index}`;
      const aspects = [
        { 'com.linkedin.identity.CorpUserInfo': { active: true, displayName: text, email: text } },
      ];
      const entity = { value: { 'com.linkedin.metadata.snapshot.CorpUserSnapshot': { urn, aspects } } };
      expect((await catalog.post('/entities?action=ingest', { entity })).status).toBe(200);
      expect(await catalog.read(urn, 'corpUserInfo')).toMatchObject({ displayName: text, email: text });
    });
    const urn = dataset('events');
    const events = NAUGHTY.map((text, i) => ({
      timestampMillis: i + 1,
      fieldProfiles: [{ fieldPath: text, min: text, sampleValues: [text] }],
    }));
    await catalog.ingest(...events.map((event): [string, string, unknown] => [urn, 'datasetProfile', event]));
    const { body } = await catalog.post('/aspects?action=getTimeseriesAspectValues', {
      urn,
      entity: 'dataset',
      aspect: 'datasetProfile',
    });
    expect(body.value.values.map((v: { aspect: { value: string } }) => JSON.parse(v.aspect.value))).toEqual(
      events.reverse(),
    );
  });

  it('are ids of URNs, or refused as such', async () => {
    await each(async (text) => {
      const urn = tagOf(text);
      const answer = await catalog.propose(urn, 'tagProperties', { name: text, description: text });
      if (!isId(text)) {
        expectRefusalOfUrn(answer);
        return;
      }
      expect([answer.status, answer.body]).toEqual([200, { value: urn }]);
      const { body } = await catalog.get(`/entitiesV2/${encoded(urn)}`);
      expect(body).toMatchObject({
        urn,
        aspects: {
          tagKey: { value: { name: text } },
          tagProperties: { value: { name: text, description: text } },
        },
      });
      expect((await catalog.get(`/entitiesV2?ids=List(${encoded(urn)})`)).body.results).toHaveProperty([urn]);
      expect((await catalog.get(`/aspects/${encoded(urn)}?aspect=tagKey&version=1`)).status).toBe(200);
    });
  });

  it('are parts of tuples, or refused as such', async () => {
    await each(async (text) => {
      const urn = dataset(text);
      const answer = await catalog.propose(urn, 'status', { removed: false });
      if (answer.status !== 200) {
        expectCivil(answer);
        expect(/[,()\p{Cc}]/u.test(text) || text === '').toBe(true);
        return;
      }
      expect(await catalog.read(urn, 'datasetKey')).toMatchObject({ name: text });
    });
  });

  it('are tags that are put on, found by filter, by field and over relationships', async () => {
    await each(async (text, index) => {
      const [urn, tag] = [dataset(`tagged${index}`), tagOf(text)];
      const answer = await catalog.propose(urn, 'globalTags', { tags: [{ tag }] });
      const filter = { or: [{ and: [{ field: 'tags', condition: 'EQUAL', values: [tag] }] }] };
      if (!isId(text)) {
        expect([answer.status, answer.body.code]).toEqual([422, 'ASPECT_INVALID']);
        expect((await catalog.search('dataset', '*', { filter })).entities).toEqual([]);
        return;
      }
      expect(answer.status).toBe(200);
      expect((await catalog.search('dataset', '*', { filter })).entities).toEqual([urn]);
      const incoming = await catalog.get(
        `/relationships?direction=INCOMING&urn=${encoded(tag)}&types=TaggedWith`,
      );
      expect(incoming.body.entities).toEqual([urn]);
    });
  });

  it('can be searched for, and are found where they hold words', async () => {
    const missed: string[] = [];
    await each(async (text, index) => {
      const answer = await catalog.post('/entities?action=search', {
        entity: 'dataset',
        input: text,
        start: 0,
        count: 1000,
      });
      expect(answer.status).toBe(200);
      if (!answer.body.value.entities.includes(dataset(`n${index}`)) && /[\p{L}\p{N}]/u.test(text))
        missed.push(text);
    });
    expect(missed).toEqual([]);
  });
});

describe('naughty questions', () => {
  // With little in it, so that thousands of questions are answered fast.
  beforeAll(async () => {
    await catalog.stop();
    catalog = await TestCatalog.start();
    await catalog.ingest([dataset('one'), 'datasetProperties', { name: 'one' }]);
  });

  it('can be filtered by under any condition', async () => {
    const conditions = ['EQUAL', 'IEQUAL', 'CONTAIN', 'START_WITH', 'END_WITH', 'GREATER_THAN', 'LESS_THAN'];
    await each(async (text) => {
      const filter = {
        or: conditions.map((condition) => ({ and: [{ field: 'name', condition, values: [text] }] })),
      };
      const question = { entity: 'dataset', input: '*', filter, count: 3 };
      const { status } = await served(() => catalog.post('/entities?action=search', question));
      expect(status).toBe(200);
    });
  });

  it('can stand wherever a text is expected', async () => {
    await each(async (text) => {
      const coded = encodeURIComponent(text);
      const answers = await Promise.all([
        catalog.post('/entities?action=search', { entity: text, input: 'x' }),
        catalog.post('/entities?action=search', { entity: 'dataset', input: `tags:${text}` }),
        catalog.post('/entities?action=search', {
          entity: 'dataset',
          input: '*',
          filter: { or: [{ and: [{ field: text, values: ['x'], condition: 'EQUAL' }] }] },
        }),
        catalog.post('/entities?action=search', {
          entity: 'dataset',
          input: '*',
          sortCriteria: [{ field: text }],
        }),
        catalog.post('/entities?action=scrollAcrossEntities', { input: '*', scrollId: text }),
        catalog.post('/entities?action=browse', { entity: 'dataset', path: text, start: 0, limit: 5 }),
        catalog.post('/aspects?action=getCount', { aspect: 'status', urnLike: text }),
        catalog.post(`/aspects?action=${coded}`, {}),
        catalog.post('/aspects?action=ingestProposal', {
          proposal: { ...proposal(tagOf('x'), text), changeType: text },
        }),
        catalog.get(`/entitiesV2/${coded}`),
        catalog.get(`/entitiesV2/urn:li:tag:x?aspects=List(${coded})`),
        catalog.get(`/aspects/urn:li:tag:x?aspect=${coded}&version=${coded}`),
        catalog.get(`/relationships?direction=OUTGOING&urn=urn:li:tag:x&types=${coded}`),
        catalog.get(`/config?${coded}`, { token: null }),
      ]);
      for (const answer of answers) expectCivil(answer);
    });
  });
});

function expectRefusalOfUrn(answer: Answer): void {
  expectRefusal(answer, 400, 'URN_MALFORMED', '/proposal/entityUrn');
}
