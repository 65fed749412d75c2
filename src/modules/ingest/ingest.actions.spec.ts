import { describe, expect, it } from '@jest/globals';
import type { Principal } from '../../catalog/auth/index.js';
import type { ChangeProposal } from '../../catalog/change/index.js';
import { Model } from '../../catalog/model/index.js';
import { IngestActions } from './ingest.actions.js';
import type { IngestService } from './ingest.service.js';
import { ProposalParser } from './proposal-parser.js';
import { SnapshotParser } from './snapshot.js';

const model = Model.load();
const EDITOR: Principal = { actor: 'urn:li:corpuser:ed', role: 'EDITOR' };
const proposal = {
  entityType: 'tag',
  entityUrn: 'urn:li:tag:a',
  changeType: 'UPSERT',
  aspectName: 'status',
  aspect: { value: '{"removed":false}', contentType: 'application/json' },
};
const snapshot = (name: string) => ({
  value: {
    'x.metadata.snapshot.TagSnapshot': { urn: `urn:li:tag:${name}`, aspects: [{ 'x.common.Status': {} }] },
  },
});

function actions() {
  const submitted: ChangeProposal[][] = [];
  const ingest = {
    submit: async (_: Principal, proposals: ChangeProposal[]) => void submitted.push(proposals),
  };
  const service = ingest as unknown as IngestService;
  const { actions: served } = new IngestActions(
    new ProposalParser(model),
    new SnapshotParser(model),
    service,
  );
  const run = (name: string, body: Record<string, unknown>) =>
    served.find(({ route }) => route.action === name)!.run(EDITOR, body);
  return { run, submitted };
}

describe('the ingest actions', () => {
  it.each([undefined, true, false, 'true', 'false', null])(
    'answer the URN of a proposal, async = %j',
    async (async) => {
      const { run, submitted } = actions();
      expect(await run('ingestProposal', { proposal, async })).toBe('urn:li:tag:a');
      expect(submitted).toMatchObject([[{ pointer: '/proposal', aspect: { name: 'status' } }]]);
    },
  );

  it('submit a batch as one', async () => {
    const { run, submitted } = actions();
    const second = { ...proposal, entityUrn: 'urn:li:tag:b' };
    expect(await run('ingestProposalBatch', { proposals: [proposal, second] })).toBe('success');
    expect(submitted).toMatchObject([[{ pointer: '/proposals/0' }, { pointer: '/proposals/1' }]]);
  });

  it('answer nothing to snapshots', async () => {
    const { run, submitted } = actions();
    expect(await run('ingest', { entity: snapshot('a'), systemMetadata: { runId: 'r' } })).toBeUndefined();
    const entities = [snapshot('b'), snapshot('c')];
    expect(await run('batchIngest', { entities, systemMetadata: [{ runId: '1' }, {}] })).toBeUndefined();
    expect(submitted).toMatchObject([
      [{ urn: { id: 'a' }, systemMetadata: { runId: 'r' } }],
      [
        { urn: { id: 'b' }, systemMetadata: { runId: '1' } },
        { urn: { id: 'c' }, systemMetadata: {} },
      ],
    ]);
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ['ingestProposal', { proposal, async: 'yes' }, 'PARAMETER_INVALID', '/async'],
    ['ingestProposal', { proposals: [proposal] }, 'PARAMETER_INVALID', '/proposals'],
    ['ingestProposal', {}, 'PROPOSAL_MALFORMED', '/proposal'],
    ['ingestProposalBatch', {}, 'PARAMETER_MISSING', '/proposals'],
    ['ingestProposalBatch', { proposals: [proposal, {}] }, 'PROPOSAL_MALFORMED', '/proposals/1/entityType'],
    ['ingest', {}, 'PROPOSAL_MALFORMED', '/entity/value'],
    [
      'batchIngest',
      { entities: [snapshot('a')], systemMetadata: [{}, {}] },
      'PARAMETER_INVALID',
      '/systemMetadata',
    ],
  ])('refuse a bad body of %s and submit nothing', async (name, body, code, pointer) => {
    const { run, submitted } = actions();
    await expect(run(name, body)).rejects.toMatchObject({ code, errors: [{ pointer }] });
    expect(submitted).toEqual([]);
  });
});
