// Follows the change feed as Server-Sent Events, and goes on where it was after a break: node examples/follow.ts
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const { CATALOG_URL = 'http://localhost:8080', CATALOG_TOKEN, CURSOR_FILE = 'feed.cursor' } = process.env;
const url = `${CATALOG_URL}/openapi/v1/events/stream?topic=${process.argv[2] ?? 'PlatformEvent_v1'}`;

async function follow(): Promise<void> {
  const headers: Record<string, string> = { authorization: `Bearer ${CATALOG_TOKEN}` };
  if (existsSync(CURSOR_FILE)) headers['last-event-id'] = readFileSync(CURSOR_FILE, 'utf8');
  const response = await fetch(url, { headers });
  // 410: the cursor is older than the log. Read a snapshot, remove the file, and begin again.
  if (!response.ok || response.body === null) throw new Error(await response.text());
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [id, data] = ['id', 'data'].map((name) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]);
      if (data !== undefined) handle(JSON.parse(data) as PlatformEvent);
      // After the event: one that is handled twice does less harm than one that is lost.
      if (id !== undefined) keep(id);
    }
  }
}

/** In one step: to be killed in the middle of it leaves the cursor before, and not an empty file. */
function keep(cursor: string): void {
  writeFileSync(`${CURSOR_FILE}.new`, cursor);
  renameSync(`${CURSOR_FILE}.new`, CURSOR_FILE);
}

type PlatformEvent = { name?: string; payload?: { value: string } };

function handle(event: PlatformEvent): void {
  console.log(event.payload === undefined ? JSON.stringify(event) : `${event.name} ${event.payload.value}`);
}

for (;;) {
  await follow().catch((error: unknown) => console.error(`connecting again: ${String(error)}`));
  await pause(1000);
}
