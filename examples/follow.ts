// Follows the change feed as Server-Sent Events, and goes on where it was after a break: node examples/follow.ts
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const { CATALOG_URL = 'http://localhost:8080', CATALOG_TOKEN, CURSOR_FILE = 'feed.cursor' } = process.env;
interface PlatformEvent {
  name?: string;
  payload?: { value: string };
}

const topic = process.argv[2] ?? 'PlatformEvent_v1';

for (;;) {
  try {
    await follow();
  } catch (error) {
    console.error(`connecting again: ${String(error)}`);
  }
  await pause(1000);
}

async function follow(): Promise<void> {
  const headers: Record<string, string> = { authorization: `Bearer ${CATALOG_TOKEN}` };
  if (existsSync(CURSOR_FILE)) headers['last-event-id'] = readFileSync(CURSOR_FILE, 'utf8');
  const response = await fetch(`${CATALOG_URL}/openapi/v1/events/stream?topic=${topic}`, { headers });
  // 410: the cursor is older than the log. Read a snapshot, remove the file, and begin again.
  if (!response.ok || response.body === null) throw new Error(await response.text());
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const { id, data } = Object.fromEntries(
        block.split('\n').map((line) => line.split(/: (.*)/s)),
      ) as Partial<Record<'id' | 'data', string>>;
      if (data !== undefined) handle(JSON.parse(data) as PlatformEvent);
      // After the event: one that is handled twice does less harm than one that is lost.
      if (id !== undefined) writeFileSync(CURSOR_FILE, id);
    }
  }
}

function handle(event: PlatformEvent): void {
  console.log(event.payload === undefined ? JSON.stringify(event) : `${event.name} ${event.payload.value}`);
}
