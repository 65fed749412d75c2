import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { removeHome } from '../harness/catalog.js';
import { stackOf } from '../harness/stack.js';
import { ServiceProcess } from '../harness/service-process.js';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Array<{ key: string; value: { stringValue?: string; intValue?: number } }>;
}

const URN = 'urn:li:tag:traced';
const proposal = (entityUrn: string, name: string) => ({
  proposal: {
    entityType: 'tag',
    entityUrn,
    changeType: 'UPSERT',
    aspectName: 'tagProperties',
    aspect: { contentType: 'application/json', value: JSON.stringify({ name }) },
  },
});
const PROPOSAL = proposal(URN, 'traced far');
const EARLIER = proposal('urn:li:tag:earlier', 'written early');
const SEARCH = { entity: 'tag', input: 'far', start: 0, count: 10 };

/** Notes in a file which modules of OpenTelemetry the process looks for. */
const WATCH = `
  import { registerHooks } from 'node:module';
  import { appendFileSync } from 'node:fs';
  registerHooks({ resolve(name, context, next) {
    if (name.startsWith('@opentelemetry/')) appendFileSync(process.env.LOADED, name + '\\n');
    return next(name, context);
  } });`;

let home: string;
let collector: Server;
let spans: Span[];
let resources: unknown[];
let service: ServiceProcess | undefined;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'catalog-traces-'));
  spans = [];
  resources = [];
  collector = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url !== '/v1/traces' || request.headers['api-key'] !== 'for the collector')
        return response.writeHead(404).end();
      for (const each of JSON.parse(body).resourceSpans) {
        resources.push(...each.resource.attributes);
        for (const scope of each.scopeSpans) spans.push(...scope.spans);
      }
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
});
afterEach(async () => {
  await service?.kill();
  collector.close();
  await removeHome(home);
});

const start = async (environment: Record<string, string> = {}) =>
  (service = await ServiceProcess.start(home, {
    CATALOG_LOG_LEVEL: 'debug',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WATCH)}`,
    LOADED: join(home, 'loaded'),
    ...environment,
  }));
const loaded = () => readFile(join(home, 'loaded'), 'utf8').catch(() => '');
const call = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  service!.post(path, body, headers);
const newTrace = () => {
  const [trace, parent] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { trace, parent, headers: { traceparent: `00-${trace}-${parent}-01` } };
};
const attribute = (span: Span, key: string) =>
  Object.values(span.attributes.find((each) => each.key === key)?.value ?? {})[0];
/** The one span of that name in a trace, below that other. */
const spanIn = (trace: string, name: string, parent: string): Span => {
  const found = spans.filter((span) => span.traceId === trace && span.name === name);
  const names = spans.filter((span) => span.traceId === trace).map((span) => span.name);
  expect({ name, parents: found.map((span) => span.parentSpanId), names }).toEqual({
    name,
    parents: expect.arrayContaining([parent]),
    names,
  });
  return found.find((span) => span.parentSpanId === parent)!;
};

describe('traces', () => {
  it('follow a write from the request of the client into the search index', async () => {
    const { port } = collector.address() as AddressInfo;
    await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=for%20the%20collector',
      OTEL_SERVICE_NAME: 'catalog-of-the-test',
    });
    // What a start writes is indexed first: the batch of the traced write holds nothing else then.
    expect((await call('/aspects?action=ingestProposal', EARLIER)).status).toBe(200);
    const early = await call('/entities?action=search', { ...SEARCH, input: 'early' });
    expect(early.body.value.entities).toEqual([EARLIER.proposal.entityUrn]);
    const [writing, searching, failing, unkept] = [newTrace(), newTrace(), newTrace(), newTrace()];
    expect((await call('/aspects?action=ingestProposal', PROPOSAL, writing.headers)).status).toBe(200);
    const found = await call('/entities?action=search', SEARCH, searching.headers);
    expect(found.body.value.entities).toEqual([URN]);
    const refused = await call('/entities?action=search', { ...SEARCH, count: -1 }, failing.headers);
    expect(refused.body).toMatchObject({ status: 400, traceId: failing.trace });
    const headers = { traceparent: `00-${unkept.trace}-${unkept.parent}-00` };
    expect((await call('/entities?action=search', SEARCH, headers)).status).toBe(200);
    expect((await call('/openapi/v3/entity/nothing', [])).body.traceId).toMatch(/^[\da-f]{32}$/);
    await service!.stop();

    const served = spanIn(writing.trace, 'POST /aspects?action=ingestProposal', writing.parent);
    expect(attribute(served, 'http.response.status_code')).toBe(200);
    const commit = spanIn(writing.trace, 'commit', served.spanId);
    const transaction = spanIn(writing.trace, 'transaction', commit.spanId);
    spanIn(writing.trace, 'INSERT change_log', transaction.spanId);
    const publish = spanIn(writing.trace, 'publish changes', served.spanId);
    spanIn(writing.trace, 'publish search-index', publish.spanId);
    const consumed = spanIn(writing.trace, 'process search-index', served.spanId);
    const upsert = spanIn(writing.trace, 'index upsert', consumed.spanId);
    expect(attribute(upsert, 'catalog.documents')).toBe(1);

    const asked = spanIn(searching.trace, 'POST /entities?action=search', searching.parent);
    spanIn(searching.trace, 'index search', asked.spanId);
    expect(spans.filter((span) => span.traceId === unkept.trace)).toEqual([]);
    expect(resources).toContainEqual({ key: 'service.name', value: { stringValue: 'catalog-of-the-test' } });
    // Nothing of what is written or asked is in a trace.
    expect(JSON.stringify(spans)).not.toMatch(/traced far|test-administrator/);

    const lines = service!.log.split('\n').filter((line) => line.includes(`"trace_id":"${writing.trace}"`));
    expect(lines.map((line) => JSON.parse(line).msg)).toContain('request');
    expect(await loaded()).toContain('@opentelemetry/sdk-trace');
  });

  it('are not there, and nothing of them is loaded, without a collector', async () => {
    await start();
    expect((await call('/aspects?action=ingestProposal', PROPOSAL, newTrace().headers)).status).toBe(200);
    expect((await call('/entities?action=search', SEARCH)).body.value.entities).toHaveLength(1);
    const refused = await call('/entities?action=search', { ...SEARCH, count: -1 }, newTrace().headers);
    expect(refused.body).not.toHaveProperty('traceId');
    await service!.stop();
    expect(service!.log).not.toContain('trace_id');
    // The client of search servers brings the interfaces of traces along, and nothing that makes any.
    const ofTheClient = /@opentelemetry\/(api|core|semantic-conventions)\n/g;
    const found = await loaded();
    expect(stackOf() === undefined ? found : found.replaceAll(ofTheClient, '')).toBe('');
  });

  it('cost one line of the log while the collector is unavailable, and no request', async () => {
    const { port } = collector.address() as AddressInfo;
    collector.close();
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, CATALOG_LOG_LEVEL: 'warn' });
    expect((await call('/aspects?action=ingestProposal', PROPOSAL)).status).toBe(200);
    expect((await call('/entities?action=search', SEARCH)).status).toBe(200);
    await service!.stop();
    expect(service!.log.match(/takes no spans/g)).toHaveLength(1);
  });
});
