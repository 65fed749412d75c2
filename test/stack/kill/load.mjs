import { TOKEN } from './services.mjs';
import { until } from './wait.mjs';

/** Longer than the service takes to say that something is away: a request is repeated only when it is over. */
const REQUEST_MS = 60_000;
const PAUSE_MS = 100;
const ENTITIES_PER_CLIENT = 60;

/**
 * Clients that write, patch, delete and search. Each has entities of its own, does one thing at a time and repeats it
 * until it is acknowledged, as clients do; so it knows what must stand there afterwards.
 */
export class Load {
  running = false;
  abandoned = false;
  /** What must be: URN to {name, properties}, or to undefined when it was deleted. */
  expected = new Map();
  numbers = { acknowledged: 0, searches: 0, retried: 0 };

  constructor(services, clients) {
    this.services = services;
    this.clients = clients;
    this.run = Math.random().toString(36).slice(2, 8);
  }

  start() {
    this.running = true;
    this.work = Array.from({ length: this.clients }, (_, client) => this.client(client));
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
    for (const client of this.work ?? []) client.catch(() => undefined);
  }

  counts() {
    return { ...this.numbers, urns: this.expected.size };
  }

  async acknowledgeMore(count, limitMs) {
    const goal = this.numbers.acknowledged + count;
    await until(() => this.numbers.acknowledged >= goal, limitMs, `${count} more acknowledged writes`);
  }

  async client(client) {
    for (let turn = 0; this.running; turn++) {
      const number = Math.floor(Math.random() * ENTITIES_PER_CLIENT);
      const urn = `urn:li:dataset:(urn:li:dataPlatform:hive,kill.${this.run}.c${client}n${number},PROD)`;
      const before = this.expected.get(urn);
      const dice = Math.random();
      if (before === undefined || dice < 0.45)
        await this.upsert(urn, before, `m${this.run}c${client}t${turn}`);
      else if (dice < 0.75) await this.patch(urn, before, turn);
      else if (dice < 0.85) await this.delete(urn);
      else await this.search(before.name);
    }
  }

  async upsert(urn, before, name) {
    const value = { name, customProperties: {} };
    await this.acknowledged('/aspects?action=ingestProposal', proposal(urn, 'UPSERT', value));
    this.expected.set(urn, { name, properties: {} });
  }

  async patch(urn, before, turn) {
    const [key, value] = [`k${turn % 5}`, String(turn)];
    const patch = [{ op: 'add', path: `/customProperties/${key}`, value }];
    await this.acknowledged('/aspects?action=ingestProposal', proposal(urn, 'PATCH', patch));
    this.expected.set(urn, { ...before, properties: { ...before.properties, [key]: value } });
  }

  async delete(urn) {
    await this.acknowledged('/entities?action=delete', { urn }, [200, 404]);
    this.expected.set(urn, undefined);
  }

  /** Any answer is right here but a wrong kind of failure: what is found is looked at in the end. */
  async search(text) {
    const answer = await this.post('/entities?action=search', {
      entity: 'dataset',
      input: text,
      start: 0,
      count: 10,
    });
    if (answer?.status === 200) this.numbers.searches++;
    else if (answer !== undefined && answer.status !== 503) {
      this.numbers.wrong = `a search was answered ${answer.status}: ${answer.text}`;
    }
  }

  async acknowledged(path, body, good = [200]) {
    for (;;) {
      const answer = await this.post(path, body);
      if (answer !== undefined && good.includes(answer.status)) {
        this.numbers.acknowledged++;
        return;
      }
      if (answer !== undefined && answer.status < 500)
        throw new Error(`${path}: ${answer.status} ${answer.text}`);
      if (this.abandoned) return;
      if (answer?.status === 500) this.numbers.wrong = `a write was answered 500: ${answer.text}`;
      this.numbers.retried++;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** Undefined when the connection failed. */
  async post(path, body) {
    const service = this.services[Math.floor(Math.random() * this.services.length)];
    return post(service.url, path, body).catch(() => undefined);
  }
}

export async function post(url, path, body) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  return { status: response.status, text: await response.text() };
}

export function headers() {
  return {
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    'x-restli-protocol-version': '2.0.0',
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
