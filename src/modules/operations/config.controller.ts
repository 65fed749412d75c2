import { Controller, Inject, Query, Req } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { CatalogError } from '../../catalog/errors/index.js';
import { CATALOG_SETTINGS, MODEL_DIGEST, type CatalogSettings } from '../../catalog/settings.js';
import { Serves } from '../../routing/serves.js';
import { BearerGuard, Public, type AuthenticatedRequest } from '../auth/index.js';
import { getConfig } from './operations.routes.js';

/**
 * The version that clients choose their protocol by. From 1.0.1 on they write through OpenAPI v3 where they may
 * choose, and follow accepted writes by their traces; from 1.4.0 on agents are offered all their tools; from 1.7.0 on
 * ingestion patches `status`.
 */
const PROTOCOL_LEVEL = 'v1.7.0';

/** The name under which existing clients look for the version. */
const VERSION_KEY = 'acryldata/datahub';

/** What a client wants to know about the service before it talks to it; needs no token. */
@Public()
@Controller()
export class ConfigController {
  private readonly answer: Readonly<Record<string, unknown>>;

  constructor(
    @Inject(CATALOG_SETTINGS) settings: CatalogSettings,
    @Inject(MODEL_DIGEST) modelDigest: string,
    private readonly guard: BearerGuard,
  ) {
    // Clients cache schemas on their disk under this text, so it changes with everything they could cache.
    const commit = createHash('sha256')
      .update(`${settings.version}\n${modelDigest}`)
      .digest('hex')
      .slice(0, 12);
    this.answer = Object.freeze({
      // A text, not a boolean: clients compare it with "true".
      noCode: 'true',
      versions: { [VERSION_KEY]: { version: PROTOCOL_LEVEL, commit } },
      patchCapable: true,
      statefulIngestionCapable: true,
      supportsImpactAnalysis: true,
      datahub: { serverType: 'prod', serverEnv: 'core' },
      managedIngestion: { enabled: false, defaultCliVersion: PROTOCOL_LEVEL.slice(1) },
      // Keeps clients from sending statistics about their use to their maker.
      telemetry: { enabledCli: false, enabledIngestion: false },
      datasetUrnNameCasing: false,
      retention: 'true',
      timeZone: 'GMT',
      models: {},
      ...(settings.signIn && { signIn: settings.signIn }),
    });
  }

  @Serves(getConfig)
  async config(
    @Req() request: AuthenticatedRequest,
    @Query('verbose') verbose: unknown,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (verbose !== 'true') return this.answer;
    return { ...this.answer, userType: await this.callerOf(request) };
  }

  /** A token is not needed, so one that is not valid is none. */
  private async callerOf(request: AuthenticatedRequest): Promise<'anonymous' | 'user' | 'admin'> {
    try {
      const { role } = await this.guard.authenticate(request);
      return role === 'ADMIN' ? 'admin' : 'user';
    } catch (error) {
      if (error instanceof CatalogError && error.kind === 'unauthenticated') return 'anonymous';
      throw error;
    }
  }
}
