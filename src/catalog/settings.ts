import type { Compatibility } from './compatibility/index.js';

/** How the pages of the service sign people in: authorization code with PKCE. */
export interface SignIn {
  readonly issuer: string;
  /** Of a public client, which has no secret. */
  readonly clientId: string;
  readonly scope: string;
}

/** The decisions of one installation that modules need to know. Everything else of the configuration stays outside. */
export interface CatalogSettings {
  /** Version of this service. */
  readonly version: string;
  /** The vendor word in the URNs that the service itself makes (`urn:li:dataType:<vendor>.string`). */
  readonly vendor: string;
  /** Prefix of the record names that the service itself writes. */
  readonly recordNamespace: string;
  /** What happens to a field of an aspect that its schema does not know. */
  readonly unknownFields: 'refuse' | 'keep';
  /** What holds where the specification and the reference differ. */
  readonly compatibility: Compatibility;
  /** Whether raw ingest may name terms and tags that do not exist (yet). */
  readonly references: 'lenient' | 'strict';
  readonly auth: 'on' | 'off';
  /** Absent where people paste tokens. */
  readonly signIn?: SignIn | undefined;
  readonly role: 'all' | 'api' | 'worker';
  /** How long a search waits for the writes before it where several processes may share the catalog, milliseconds. */
  readonly searchCatchUpMs: number;
  /** How much work the searches of one request may take, milliseconds. */
  readonly searchTimeoutMs: number;
  /** How long the change log keeps what all consumers are through with, days. */
  readonly changeLogDays: number;
  /** Requests of a process that may wait for events of the change feed. */
  readonly feedReaders: number;
  /** How long a poll waits for a first event at most, milliseconds. */
  readonly feedWaitMs: number;
  /** After how long a stream is ended, and its reader connects again. */
  readonly feedStreamSeconds: number;
  /** How much longer the log is kept for registered readers that have not read it, days. */
  readonly feedHoldDays: number;
  /** Whether writes, tokens and webhooks are audited, and reads of single entities. */
  readonly audit: boolean;
  readonly auditReads: boolean;
  /** How long audit records are kept, days. */
  readonly auditDays: number;
  /** Versions and days that are kept of an aspect that no policy is for; 0: all. */
  readonly historyVersions: number;
  readonly historyDays: number;
  /** How long events of time series are kept, days; 0: for ever. */
  readonly timeseriesDays: number;
  /** Folder with the build of another web client, which is served then. */
  readonly webClient?: string | undefined;
  /** Whether the web application is served. */
  readonly web: boolean;
  /** Whether webhooks may lead to addresses of this network. */
  readonly webhookInternal: boolean;
  /** Whether the search index lies in the data folder or is a server. */
  readonly searchEngine: 'embedded' | 'server';
  /** Largest request body, bytes. An aspect does not grow beyond it either. */
  readonly bodyLimit: number;
  /** Absolute path of the data folder. */
  readonly home: string;
}

/** Injection token of the {@link CatalogSettings}. */
export const CATALOG_SETTINGS = Symbol('CatalogSettings');

/** Injection token of a short text that changes whenever the model (entities, aspects, their schemas) does. */
export const MODEL_DIGEST = Symbol('ModelDigest');
