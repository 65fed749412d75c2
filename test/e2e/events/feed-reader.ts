import type { TestCatalog } from '../../harness/catalog.js';

/** Settings for tests that call every operation: none of them waits for what does not come. */
export const SHORT_WAITS = { CATALOG_FEED_WAIT_MS: '100', CATALOG_FEED_STREAM_SECONDS: '1' };

export type Topic = 'PlatformEvent_v1' | 'MetadataChangeLog_Versioned_v1' | 'MetadataChangeLog_Timeseries_v1';

/** An event as its consumer parses it; of a platform event, what it is about. */
export function parseEvent(value: string): any {
  const event = JSON.parse(value);
  return event.payload === undefined ? event : { name: event.name, ...JSON.parse(event.payload.value) };
}

/** Reads a topic as a consumer does: poll by poll, with the cursor of the answer before. */
export class FeedReader {
  offsetId: string | undefined;

  constructor(
    private readonly catalog: Pick<TestCatalog, 'get'>,
    readonly topic: Topic,
    private readonly more: Record<string, string | number> = {},
  ) {}

  /** A reader that begins at the end of the log. */
  static async atEnd(catalog: TestCatalog, topic: Topic, more: Record<string, string | number> = {}) {
    const reader = new FeedReader(catalog, topic, more);
    await reader.poll();
    return reader;
  }

  /** One call. */
  async poll(more: Record<string, string | number> = {}): Promise<any[]> {
    return (await this.texts(more)).map(parseEvent);
  }

  private async texts(more: Record<string, string | number> = {}): Promise<string[]> {
    const parameters = new URLSearchParams({
      topic: this.topic,
      pollTimeoutSeconds: '0',
      ...(this.offsetId !== undefined && { offsetId: this.offsetId }),
      ...stringsOf({ ...this.more, ...more }),
    });
    const { status, body } = await this.catalog.get(`/openapi/v1/events/poll?${parameters.toString()}`);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    this.offsetId = body.offsetId as string;
    if (body.count !== body.events.length) throw new Error(`count ${body.count} of ${body.events.length}`);
    return body.events.map((event: { value: string }) => event.value);
  }

  /** Everything that was committed until now. A single poll answers what is published by then, which may be less. */
  async rest(): Promise<any[]> {
    return (await this.restOfTexts()).map(parseEvent);
  }

  /** The same as they were sent. */
  async restOfTexts(): Promise<string[]> {
    const end = await this.end();
    const events: string[] = [];
    do events.push(...(await this.texts()));
    while (placeOf(this.offsetId) < end);
    return events;
  }

  /** The place behind everything that was committed until now. */
  private async end(): Promise<number> {
    for (;;) {
      const asked = performance.now();
      const { status, body } = await this.catalog.get(
        `/openapi/v1/events/poll?topic=${this.topic}&pollTimeoutSeconds=0&limit=1`,
      );
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      // Who begins at the end waits until what is committed is published, for two seconds at most: then ask again.
      if (performance.now() - asked < 2_000) return placeOf(body.offsetId);
    }
  }
}

/** The position of a cursor in the log. */
function placeOf(offsetId: string | undefined): number {
  const place = /^1:(\d+)\./.exec(Buffer.from(offsetId ?? '', 'base64url').toString())?.[1];
  if (place === undefined) throw new Error(`no cursor: ${offsetId}`);
  return Number(place);
}

const stringsOf = (values: Record<string, string | number>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
