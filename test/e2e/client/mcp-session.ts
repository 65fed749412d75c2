import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ADMIN_TOKEN } from '../../harness/catalog.js';

/** What a tool answered: its texts, parsed where they are JSON. */
export interface ToolAnswer {
  readonly failed: boolean;
  readonly text: string;
  readonly value: any;
}

/** The field's MCP server, unmodified, as a process that is spoken to over its standard input and output. */
export class McpSession {
  private last = 0;
  private readonly waiting = new Map<number, (answer: any) => void>();
  private said = '';
  private readonly ended: Promise<never>;

  private constructor(private readonly server: ChildProcessWithoutNullStreams) {
    this.ended = once(server, 'exit').then(() => {
      throw new Error(`the MCP server ended: ${this.said}`);
    });
    // Whoever asks hears of it.
    this.ended.catch(() => undefined);
    server.stderr.on('data', (data: Buffer) => (this.said = (this.said + data.toString()).slice(-20_000)));
    createInterface(server.stdout).on('line', (line) => {
      const message = JSON.parse(line) as { id?: number };
      if (message.id !== undefined) this.waiting.get(message.id)?.(message);
    });
  }

  /**
   * Starts the program of MCP_SERVER before a service, with the tools that change things.
   * @param more further variables of its environment
   */
  static async open(home: string, url: string, more: Record<string, string> = {}): Promise<McpSession> {
    const program = process.env['MCP_SERVER'];
    if (!program) throw new Error('MCP_SERVER must be set: see test/README.md');
    const server = spawn(program, ['--transport', 'stdio'], {
      cwd: home,
      env: {
        ...process.env,
        HOME: home,
        DATAHUB_GMS_URL: url,
        DATAHUB_GMS_TOKEN: ADMIN_TOKEN,
        DATAHUB_TELEMETRY_ENABLED: 'false',
        TOOLS_IS_MUTATION_ENABLED: 'true',
        TOOLS_IS_USER_ENABLED: 'true',
        PYTHONIOENCODING: 'utf-8',
        ...more,
      },
    });
    await once(server, 'spawn');
    const session = new McpSession(server);
    const client = { name: 'test', version: '1' };
    await session.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client });
    session.send({ method: 'notifications/initialized' });
    return session;
  }

  /** Names of the tools that it offers. */
  async tools(): Promise<string[]> {
    const { tools } = await this.ask('tools/list', {});
    return tools.map(({ name }: { name: string }) => name);
  }

  /** Calls a tool, whatever becomes of it. */
  async attempt(name: string, input: object): Promise<ToolAnswer> {
    const { isError, content } = await this.ask('tools/call', { name, arguments: input });
    const text = (content as Array<{ text?: string }>).map((part) => part.text ?? '').join('');
    let value: unknown = text;
    try {
      value = JSON.parse(text);
    } catch {
      // Not every tool answers JSON.
    }
    return { failed: isError === true, text, value };
  }

  /** Calls a tool that must succeed and answers its value. */
  async call(name: string, input: object = {}): Promise<any> {
    const { failed, text, value } = await this.attempt(name, input);
    if (failed) throw new Error(`${name}: ${text}`);
    return value;
  }

  async close(): Promise<void> {
    if (this.server.exitCode !== null || this.server.signalCode !== null) return;
    const gone = once(this.server, 'exit');
    this.server.kill('SIGKILL');
    await gone;
  }

  private async ask(method: string, params: object): Promise<any> {
    const id = (this.last += 1);
    const answered = new Promise<any>((resolve) => this.waiting.set(id, resolve));
    this.send({ id, method, params });
    const answer = await Promise.race([answered, this.ended]);
    this.waiting.delete(id);
    if (answer.error) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
    return answer.result;
  }

  private send(message: object): void {
    this.server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
