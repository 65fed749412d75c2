import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';

const run = promisify(execFile);
const SCHEMA = buildSchema(readFileSync('docs/schema.graphql', 'utf8'));
const SCRIPT = fileURLToPath(new URL('sdk/documents.py', import.meta.url));

/** A program of the field, by the variable that names it. */
function program(variable: string): string {
  const path = process.env[variable];
  if (!path) throw new Error(`${variable} must be set: see test/README.md`);
  return path;
}

/** The folder of a package, in the environment of a program. */
async function packageOf(variable: string, name: string): Promise<string> {
  const lib = join(dirname(program(variable)), '..', 'lib');
  const folders = (await readdir(lib)).map((python) => join(lib, python, 'site-packages', name));
  return folders.find((folder) => existsSync(folder))!;
}

/**
 * The documents of a package, against the schema that a test compares with what the built service serves: those that stand whole in it, and
 * those that its functions build. What does not validate is named, with the first fault: it asks for what only the hosted product
 * has, for what the reference does not have either, or is a piece of a text of help.
 */
describe.each<[string, string, string, [valid: number, all: number], Record<string, unknown>]>([
  [
    "the field's MCP server",
    'MCP_SERVER',
    'mcp_server_datahub',
    [35, 37],
    {
      'gql/document_semantic_search.gql: documentSemanticSearch':
        'Cannot query field "score" on type "SearchResult".',
      'tools/assertions.py: SearchDatasetAssertions':
        'Field "note" of type "AssertionNote" must have a selection of subfields. Did you mean "note { ... }"?',
    },
  ],
  [
    "the field's SDK and command line",
    'DATAHUB_CLI',
    'datahub',
    [52, 60],
    {
      'built: runAssertion': 'Cannot query field "runAssertion" on type "Mutation".',
      'built: runAssertions': expect.stringContaining('Unknown type "RunAssertionResult".'),
      'built: runAssertionsForAsset': expect.stringContaining('Unknown type "RunAssertionResult".'),
      'cli/graphql_cli.py: corpUser':
        'Field "corpUser" argument "urn" of type "String!" is required, but it was not provided.',
      'cli/graphql_cli.py: total': 'Cannot query field "total" on type "Query". Did you mean "tag"?',
      'ingestion/source/datahub_documents/datahub_documents_source.py: hydrateDocuments':
        'Cannot query field "semanticText" on type "DocumentContent".',
      'ingestion/source/unstructured/chunking_config.py: getSemanticSearchConfig':
        'Cannot query field "entityIndexV3" on type "AppConfig".',
      'ingestion/source/unstructured/event_consumer.py: getPlatformResource':
        'Cannot query field "properties" on type "DataHubPlatformResource".',
    },
  ],
])('the GraphQL documents of %s', (_, variable, name, [valid, all], invalid) => {
  let documents: Array<{ name: string; text: string }>;
  beforeAll(async () => {
    const python = join(dirname(program('DATAHUB_CLI')), 'python');
    const { stdout } = await run(python, [SCRIPT, await packageOf(variable, name)], {
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    });
    documents = JSON.parse(stdout) as typeof documents;
  });

  it(`${valid} of ${all} validate`, () => {
    const faults = documents.flatMap(({ name: document, text }) => {
      const [fault] = validate(SCHEMA, parse(text));
      return fault ? [[document, fault.message]] : [];
    });
    expect(Object.fromEntries(faults)).toEqual(invalid);
    expect([documents.length - faults.length, documents.length]).toEqual([valid, all]);
  });
});
