import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { EditService, refuseBlank } from '../ingest/index.js';
import { ServiceSecrets } from '../paging/index.js';
import { isSealed, keyOf, open, seal } from './sealing.js';

const SECRET = 'dataHubSecret';
const CONNECTION = 'dataHubConnection';

/** Injection token of the key that the configuration names, if any. */
export const SECRET_KEY = Symbol('SecretKey');

interface Secret {
  readonly name: string;
  readonly value: string;
  readonly description?: string | undefined;
}

interface Connection {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly platform: string;
  /** JSON text. */
  readonly blob: string | undefined;
}

/** Keeps secrets and the details of connections encrypted. Only administrators come here. */
@Injectable()
export class SecretsService {
  private key: Promise<Buffer> | undefined;

  constructor(
    private readonly edits: EditService,
    @Inject(SECRET_KEY) private readonly configured: string | null,
    private readonly shared: ServiceSecrets,
  ) {}

  /** @returns the URN. @throws CatalogError NOT_ALLOWED, ENTITY_EXISTS, PARAMETER_INVALID, URN_MALFORMED */
  async create(principal: Principal, secret: Secret): Promise<string> {
    const urn = `urn:li:${SECRET}:${secret.name}`;
    await this.keep(principal, urn, '/name', 'new', secret);
    return urn;
  }

  /** @throws CatalogError NOT_ALLOWED, ENTITY_NOT_FOUND, PARAMETER_INVALID */
  async update(principal: Principal, urn: string, secret: Secret): Promise<void> {
    this.edits.checkMentions([{ urn, at: '/urn', types: [SECRET] }]);
    await this.keep(principal, urn, '/urn', 'existing', secret);
  }

  /** Makes a connection, or replaces it. @returns the URN. @throws CatalogError NOT_ALLOWED, PARAMETER_MISSING, PARAMETER_INVALID, URN_MALFORMED */
  async connect(
    principal: Principal,
    { id = randomUUID(), name, platform, blob }: Connection,
  ): Promise<string> {
    authorize(principal, 'manage');
    refuseBlank(id, 'an id', '/id');
    if (blob === undefined) throw refuse('PARAMETER_MISSING', 'a connection needs its details', '/json');
    if (!isJson(blob)) throw refuse('PARAMETER_INVALID', 'the details must be JSON text', '/json/blob');
    this.edits.checkMentions([{ urn: platform, at: '/platformUrn', types: ['dataPlatform'] }]);
    const urn = `urn:li:${CONNECTION}:${id}`;
    const encryptedBlob = seal(blob, urn, await this.sealingKey());
    const made = { urn, at: '/id', entity: 'any' } as const;
    await this.edits.submit(principal, [
      {
        ...made,
        aspect: 'dataHubConnectionDetails',
        what: 'details',
        apply: () => ({ type: 'JSON', json: { encryptedBlob }, ...(name !== undefined && { name }) }),
      },
      { ...made, aspect: 'dataPlatformInstance', what: 'platform', apply: () => ({ platform }) },
    ]);
    return urn;
  }

  /**
   * The details of a connection: those that the service has encrypted only for administrators, others as they were written.
   * @throws CatalogError NOT_ALLOWED; RULE_VIOLATED when the key has changed
   */
  async detailsOf(principal: Principal, urn: string, stored: string): Promise<string> {
    if (!isSealed(stored)) return stored;
    authorize(principal, 'manage');
    const blob = open(stored, urn, await this.sealingKey());
    if (blob === undefined)
      throw refuse(
        'RULE_VIOLATED',
        `the details of ${urn} were encrypted with another key; write them again`,
      );
    return blob;
  }

  private async keep(
    principal: Principal,
    urn: string,
    at: string,
    entity: 'new' | 'existing',
    { name, value, description }: Secret,
  ): Promise<void> {
    authorize(principal, 'manage');
    refuseBlank(name, 'a name', '/name');
    const sealed = seal(value, urn, await this.sealingKey());
    await this.edits.submit(principal, [
      {
        ...{ urn, at, entity, aspect: 'dataHubSecretValue', what: 'value' },
        apply: (current, { stamp }) => ({
          created: stamp,
          ...current,
          name,
          value: sealed,
          ...(description !== undefined && { description }),
        }),
      },
    ]);
  }

  private sealingKey(): Promise<Buffer> {
    return (this.key ??= this.readKey().catch((error: unknown) => {
      this.key = undefined;
      throw error;
    }));
  }

  private async readKey(): Promise<Buffer> {
    return keyOf(this.configured ?? (await this.shared.get('sealing')));
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
