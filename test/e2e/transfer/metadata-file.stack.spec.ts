import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_TOKEN, placeOf, removeHome } from '../../harness/catalog.js';
import { command, type Said } from '../../harness/command.js';
import { ROOT, ServiceProcess } from '../../harness/service-process.js';
import { FieldClient } from '../client/field-client.js';

/** Nothing of the servers, also where the environment has them. */
const EMBEDDED = { CATALOG_DATABASE_URL: '', CATALOG_REDIS_URL: '', CATALOG_SEARCH_URL: '' };
const KEYED = 'urn:li:dataset:(urn:li:dataPlatform:s3,written.by.client,PROD)';

describe("files of the field's ingestion, written and read by its own client", () => {
  let folder: string;
  let first: ServiceProcess;
  let second: ServiceProcess;
  let client: FieldClient;
  const home = (name: string) => join(folder, name);
  /** The first catalog is embedded, the second is on servers. */
  const catalog = (name: string, service: ServiceProcess, ...words: string[]): Promise<Said> =>
    command(home(name), words, {
      environment: {
        ...(service === first && EMBEDDED),
        ...{ CATALOG_URL: service.url, CATALOG_TOKEN: ADMIN_TOKEN },
      },
    });
  const proposals = async (name: string, service: ServiceProcess): Promise<any[]> => {
    const file = join(folder, `${name}.json`);
    const said = await catalog(name, service, 'export', file, '--format', 'metadata-file', '--replace');
    expect(said).toMatchObject({ code: 0 });
    return JSON.parse(await readFile(file, 'utf8')) as any[];
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'metadata-file-'));
    first = await ServiceProcess.start(home('first'), EMBEDDED);
    const servers = await placeOf(home('second'));
    expect(servers).toHaveProperty('CATALOG_DATABASE_URL');
    second = await ServiceProcess.start(home('second'), servers);
    client = new FieldClient(folder, second);
  });
  afterAll(async () => {
    await client.close();
    await first.stop();
    await second.stop();
    await removeHome(folder);
  });

  it('an export is read by the file source, and brings every value', async () => {
    const sample = join(ROOT, 'examples', 'warehouse.jsonl');
    expect(await catalog('first', first, 'import', sample, '--server', first.url)).toMatchObject({ code: 0 });
    const before = await proposals('first', first);
    await writeFile(
      join(folder, 'recipe.yml'),
      `source: {type: file, config: {path: ${join(folder, 'first.json')}}}\nsink: {type: datahub-rest, config: {server: '${second.url}', token: '${ADMIN_TOKEN}', max_threads: 1}}\n`,
    );
    await client.datahub('ingest', '-c', 'recipe.yml', '--no-progress');
    const after = await proposals('second', second);
    const valuesOf = (all: any[]): Map<string, unknown> =>
      new Map(
        all
          .filter(({ entityUrn }) => /^urn:li:(dataset|glossaryTerm|tag|chart)/.test(entityUrn))
          .map(({ entityUrn, aspectName, aspect }) => [
            `${entityUrn} ${aspectName} ${aspect.json.timestampMillis ?? ''}`,
            aspect.json,
          ]),
      );
    expect(valuesOf(before).size).toBeGreaterThan(500);
    expect(valuesOf(after)).toEqual(valuesOf(before));
  });

  it.each([
    ['first', () => first],
    ['second', () => second],
  ])('a file of the sink is taken, of proposals and of snapshots, by the %s catalog', async (name, of) => {
    const service = of();
    const file = join(folder, 'sink.json');
    await client.python(`
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.ingestion.sink.file import write_metadata_file
from datahub.metadata.schema_classes import *
fields = [SchemaFieldClass(fieldPath="id", nativeDataType="int", type=SchemaFieldDataTypeClass(type=NumberTypeClass()))]
schema = SchemaMetadataClass(schemaName="s", platform="urn:li:dataPlatform:s3", version=0, hash="",
  platformSchema=OtherSchemaClass(rawSchema=""), fields=fields)
write_metadata_file(${JSON.stringify(file)}, [
  MetadataChangeEventClass(proposedSnapshot=DatasetSnapshotClass(urn=${JSON.stringify(KEYED)}, aspects=[schema, StatusClass(removed=False)])),
  MetadataChangeProposalWrapper(entityUrn=${JSON.stringify(KEYED)}, aspect=DatasetPropertiesClass(name="tea", description="by the client")),
])
`);
    expect(await catalog(name, service, 'import', file, '--server', service.url)).toEqual({
      code: 0,
      out: '',
      err: expect.stringContaining('2 proposals'),
    });
    const found = (await proposals(name, service)).filter(({ entityUrn }) => entityUrn === KEYED);
    const value = (name: string) => found.find(({ aspectName }) => aspectName === name)?.aspect.json;
    expect(value('datasetProperties')).toMatchObject({ name: 'tea', description: 'by the client' });
    expect(value('status')).toEqual({ removed: false });
    expect(value('schemaMetadata').fields).toMatchObject([
      { fieldPath: 'id', type: { type: { 'com.linkedin.schema.NumberType': {} } } },
    ]);

    const text = await readFile(file, 'utf8');
    await writeFile(file, text.slice(0, -3));
    expect(await catalog(name, service, 'import', file, '--server', service.url)).toMatchObject({
      code: 1,
      err: expect.stringContaining('the array ends before its closing bracket'),
    });
    await writeFile(file, text.replace('"removed": false', '"removed": "no"'));
    expect(await catalog(name, service, 'import', file, '--server', service.url)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^line 2 .*removed/),
    });
  });
});
