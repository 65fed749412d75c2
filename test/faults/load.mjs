import { randomOf } from './random.mjs';
import { TOKEN } from './services.mjs';
import { until } from './wait.mjs';

/** Longer than the service takes to say that something is unavailable: a request is repeated only when it is over. */
const REQUEST_MS = 120_000;
const PAUSE_MS = 100;
const ENTITIES_PER_CLIENT = 40;
const REST = '/aspects?action=ingestProposal';

/** What a client does, and how often of a hundred. All of it says the same when it is sent twice. */
const DEEDS = [
  ['upsertByAspectApi', 14],
  ['upsertByOpenapi', 14],
  ['patchByAspectApi', 14],
  ['patchByOpenapi', 14],
  ['describeByGraphql', 14],
  ['writeLater', 8],
  ['deleteByAspectApi', 5],
  ['deleteByOpenapi', 4],
  ['search', 13],
];

/**
 * Clients that write, patch, describe, delete and search on all surfaces. Each has entities of its own, does one thing
 * at a time and repeats it until it is acknowledged, as clients do; so it knows what must stand there afterwards.
 */
export class Load {
  running = false;
  abandoned = false;
  /** What must be: URN to {name, properties, description, versions}, or to undefined when it was deleted. */
  expected = new Map();
  numbers = { acknowledged: 0, accepted: 0, searches: 0, retried: 0 };

  constructor(services, clients, seed) {
    this.services = services;
    this.clients = clients;
    this.seed = seed;
    this.run = Date.now().toString(36);
  }

  start() {
    this.running = true;
    this.work = Array.from({ length: this.clients }, (_, client) => this.client(client));
    // A client that fails ends the run when it is waited for.
    for (const client of this.work) client.catch((error) => (this.failure ??= error));
  }

  /** Every client finishes what it is doing. */
  async stop() {
    this.running = false;
    await Promise.all(this.work ?? []);
  }

  /** Nobody waits any more for what the clients are doing. */
  abandon() {
    this.running = false;
    this.abandoned = true;
  }

  counts() {
    return { ...this.numbers, urns: this.expected.size };
  }

  async acknowledgeMore(count, limitMs) {
    const goal = this.numbers.acknowledged + count;
    const enough = () => {
      if (this.failure) throw this.failure;
      return this.numbers.acknowledged >= goal;
    };
    await until(enough, limitMs, `${count} more acknowledged writes`);
  }

  async client(number) {
    const random = randomOf(this.seed, `client ${number}`);
    for (let turn = 0; this.running; turn++) {
      const name = `m${this.run}c${number}t${turn}`;
      const urn = this.urn(`c${number}n${Math.floor(random() * ENTITIES_PER_CLIENT)}`);
      const deed = deedOf(random());
      if (deed === 'writeLater') await this.writeLater(this.urn(`c${number}later${turn}`), name);
      else if (this.expected.get(urn) === undefined) {
        await (random() < 0.5 ? this.upsertByAspectApi(urn, name) : this.upsertByOpenapi(urn, name));
      } else await this[deed](urn, name, turn);
    }
  }

  urn(name) {
    return `urn:li:dataset:(urn:li:dataPlatform:hive,fault.${this.run}.${name},PROD)`;
  }

  async upsertByAspectApi(urn, name) {
    await this.acknowledged('POST', REST, proposal(urn, 'UPSERT', { name, customProperties: {} }));
    this.written(urn, { name, properties: {} });
  }

  async upsertByOpenapi(urn, name) {
    const datasetProperties = { value: { name, customProperties: {} } };
    const answer = await this.acknowledged(
      'POST',
      '/openapi/v3/entity/dataset?async=false&systemMetadata=true',
      [{ urn, datasetProperties }],
    );
    this.written(urn, { name, properties: {} }, versionIn(answer?.[0]?.datasetProperties));
  }

  async patchByAspectApi(urn, _name, turn) {
    const { patch, properties } = this.patchOf(urn, turn);
    await this.acknowledged('POST', REST, proposal(urn, 'PATCH', patch));
    this.written(urn, { properties });
  }

  async patchByOpenapi(urn, _name, turn) {
    const { patch, properties } = this.patchOf(urn, turn);
    const path = `/openapi/v3/entity/dataset/${encodeURIComponent(urn)}/datasetProperties?async=false&systemMetadata=true`;
    const answer = await this.acknowledged('PATCH', path, { patch });
    this.written(urn, { properties }, versionIn(answer?.datasetProperties));
  }

  patchOf(urn, turn) {
    const [key, value] = [`k${turn % 5}`, String(turn)];
    const patch = [{ op: 'add', path: `/customProperties/${key}`, value }];
    return { patch, properties: { ...this.expected.get(urn).properties, [key]: value } };
  }

  async describeByGraphql(urn, name) {
    const query = 'mutation ($input: DescriptionUpdateInput!) { updateDescription(input: $input) }';
    const variables = { input: { resourceUrn: urn, description: `about ${name}` } };
    await this.acknowledged('POST', '/api/graphql', { query, variables });
    this.written(urn, { description: `about ${name}` });
  }

  /** A write that is accepted with 202: its entity is written once, so that it overtakes nothing. */
  async writeLater(urn, name) {
    const datasetProperties = { value: { name, customProperties: {} } };
    await this.acknowledged(
      'POST',
      '/openapi/v3/entity/dataset?async=true',
      [{ urn, datasetProperties }],
      [202],
    );
    this.numbers.accepted++;
    this.written(urn, { name, properties: {} });
  }

  async deleteByAspectApi(urn) {
    await this.acknowledged('POST', '/entities?action=delete', { urn }, [200, 404]);
    this.expected.set(urn, undefined);
  }

  async deleteByOpenapi(urn) {
    const path = `/openapi/v3/entity/dataset/${encodeURIComponent(urn)}`;
    await this.acknowledged('DELETE', path, undefined, [200, 204, 404]);
    this.expected.set(urn, undefined);
  }

  /** Any answer is right here but a wrong kind of failure: what is found is looked at in the end. */
  async search(urn) {
    const { name } = this.expected.get(urn);
    const body = { entity: 'dataset', input: name, start: 0, count: 10 };
    const answer = await this.send('POST', '/entities?action=search', body);
    if (answer?.status === 200) this.numbers.searches++;
    else if (answer !== undefined && answer.status !== 503) {
      this.wrong(`a search was answered ${answer.status}: ${answer.text}`);
    }
  }

  written(urn, change, version) {
    if (this.abandoned) return;
    const before = this.expected.get(urn);
    const now = { description: undefined, versions: new Map(), ...before, ...change };
    if (version !== undefined) now.versions.set(version, { name: now.name, properties: now.properties });
    this.expected.set(urn, now);
  }

  /** The answer's body, when it was acknowledged. */
  async acknowledged(method, path, body, good = [200]) {
    for (;;) {
      const answer = await this.send(method, path, body);
      const outcome = answer && outcomeOf(answer);
      if (outcome !== undefined && good.includes(outcome)) {
        this.numbers.acknowledged++;
        return answer.text === '' ? undefined : JSON.parse(answer.text);
      }
      if (this.abandoned) return undefined;
      // Before a token can be looked up the database must be there.
      if (outcome !== undefined && outcome < 500 && outcome !== 429)
        throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      if (outcome === 500) this.wrong(`${method} ${path} was answered 500: ${answer.text}`);
      if (outcome === 503 && answer.retryAfter === null && path !== '/api/graphql')
        this.wrong(`${method} ${path} was answered 503 without Retry-After: ${answer.text}`);
      this.numbers.retried++;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  wrong(text) {
    this.numbers.wrong ??= text.slice(0, 2000);
  }

  /** Undefined when the connection failed. */
  async send(method, path, body) {
    const service = this.services[Math.floor(Math.random() * this.services.length)];
    return send(service.url, method, path, body).catch(() => undefined);
  }
}

function deedOf(dice) {
  let left = dice * 100;
  for (const [deed, weight] of DEEDS) if ((left -= weight) < 0) return deed;
  return 'search';
}

/** GraphQL answers 200 also to what failed; the number is in the error. */
function outcomeOf({ status, text }) {
  if (status !== 200 || !text.includes('"errors"')) return status;
  const [error] = JSON.parse(text).errors ?? [];
  return error === undefined ? status : (error.extensions?.code ?? 500);
}

function versionIn(aspect) {
  const version = Number(aspect?.systemMetadata?.version);
  return Number.isInteger(version) ? version : undefined;
}

export async function send(url, method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: headers(method),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  return {
    status: response.status,
    text: await response.text(),
    retryAfter: response.headers.get('retry-after'),
  };
}

export function headers(method = 'GET') {
  return {
    authorization: `Bearer ${TOKEN}`,
    'x-restli-protocol-version': '2.0.0',
    ...(method !== 'GET' && method !== 'DELETE' && { 'content-type': 'application/json' }),
  };
}

function proposal(urn, changeType, value) {
  return {
    proposal: {
      entityType: 'dataset',
      entityUrn: urn,
      changeType,
      aspectName: 'datasetProperties',
      aspect: {
        value: JSON.stringify(value),
        contentType: changeType === 'PATCH' ? 'application/json-patch+json' : 'application/json',
      },
    },
  };
}
