import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { TestCatalog, type Answer } from '../harness/catalog.js';

/**
 * What clients are told about their parameters, taken or refused: calls (`>`), and what each was answered (`<`). With
 * UPDATE_REQUESTS the answers are written anew.
 */
const UPDATE = process.env['UPDATE_REQUESTS'] !== undefined;
const METHODS_WITHOUT_BODY = ['GET', 'HEAD'];

/** `<method> <target>[ ~<header>:<value>][ <body>]` */
const CALL = /^> (?<method>[A-Z]+) (?<target>\S+)(?: ~(?<header>\S+):(?<value>\S+))?(?: (?<body>.+))?$/;

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest(
    ['urn:li:tag:a', 'tagProperties', { name: 'a' }],
    ['urn:li:dataset:(urn:li:dataPlatform:kafka,a,PROD)', 'status', { removed: false }],
  );
});
afterAll(() => catalog.stop());

async function ask(line: string): Promise<string> {
  const { method, target, header, value, body } = CALL.exec(line)!.groups!;
  const answer = await catalog.request(method!, target!, {
    ...(body !== undefined && !METHODS_WITHOUT_BODY.includes(method!) && { raw: body }),
    ...(header !== undefined && { headers: { [header]: value! } }),
  });
  return told(answer);
}

/** Of what is taken the status; of what is refused everything but the id of the request. */
function told({ status, body }: Answer): string {
  if (status < 400 || body === '') return `< ${status}`;
  const errors = (body.errors as Array<{ pointer: string; message: string }>).map(
    ({ pointer, message }) => pointer + (message === body.message ? '' : ` (${message})`),
  );
  return `< ${status} ${body.code} [${errors.join(' ')}] ${body.message}`;
}

/** What the trace of a deletion or the time has made of a text is not the same twice. */
const steady = (text: string): string => text.replaceAll(/\b\d{13}\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '…');

describe.each(['actions', 'routes'])('requests to %s', (name) => {
  const file = `test/golden/requests/${name}.txt`;
  const lines = readFileSync(file, 'utf8').split('\n');
  const calls = lines.filter((line) => line.startsWith('>'));

  it('are taken or refused as they were', async () => {
    const now: string[] = [];
    for (const call of calls) now.push(call, steady(await ask(call)));
    if (UPDATE) writeFileSync(file, `${now.join('\n')}\n`);
    else expect(now).toEqual(lines.filter((line) => line !== ''));
  });
});
