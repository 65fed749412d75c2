import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeHome } from '../../harness/catalog.js';
import { ServiceProcess } from '../../harness/service-process.js';
import { FieldClient } from './field-client.js';

/** A service with an empty catalog, and the field's command line in front of it. */
export class Shop {
  private constructor(
    /** The folder that commands run in. */
    readonly home: string,
    readonly service: ServiceProcess,
    readonly client: FieldClient,
  ) {}

  /** @param env further variables of the service */
  static async open(env: Record<string, string> = {}): Promise<Shop> {
    const home = await mkdtemp(join(tmpdir(), 'catalog-commands-'));
    const service = await ServiceProcess.start(join(home, 'catalog'), env);
    return new Shop(home, service, new FieldClient(home, service));
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.service.kill();
    await removeHome(this.home);
  }

  static readonly dataset = (name: string): string =>
    `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.${name},PROD)`;

  /** Puts a file into the folder that commands run in and answers its name. */
  async file(name: string, content: unknown): Promise<string> {
    await writeFile(join(this.home, name), typeof content === 'string' ? content : JSON.stringify(content));
    return name;
  }

  /** `datahub put` of one aspect. */
  async put(urn: string, aspect: string, value: unknown, ...more: string[]): Promise<string> {
    const path = await this.file('aspect.json', value);
    return this.client.datahub('put', '--urn', urn, '-a', aspect, '-d', path, ...more);
  }

  async exists(urn: string): Promise<boolean> {
    return JSON.parse(await this.client.datahub('exists', '--urn', urn)) as boolean;
  }

  async search(entity: string, input: string): Promise<string[]> {
    const answer = await this.service.post('/entities?action=search', { entity, input, start: 0, count: 50 });
    return answer.body.value.entities as string[];
  }
}
