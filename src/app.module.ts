import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { makeFolder } from './backing/data-folder.js';
import { BackingModule } from './backing/backing.module.js';
import { Disposables } from './backing/disposables.js';
import type { Configuration } from './config/configuration.js';
import { standardOutput } from './http/index.js';
import { compatibilityWith } from './catalog/compatibility/index.js';
import { WriteReceiptRow } from './modules/accepted-writes/index.js';
import { AuditChainRow, AuditModule, AuditRow } from './modules/audit/index.js';
import { AccessTokenRow, AuthModule } from './modules/auth/index.js';
import { AssertionsModule } from './modules/assertions/assertions.module.js';
import { DataProductsModule } from './modules/data-products/data-products.module.js';
import { DatasetsModule } from './modules/datasets/datasets.module.js';
import {
  AspectHistoryRow,
  AspectRow,
  ClaimRow,
  DeletedAspectRow,
  EntitiesModule,
  EntityRow,
  RelationshipRow,
  TimeseriesAspectRow,
} from './modules/entities/index.js';
import { DomainsModule } from './modules/domains/domains.module.js';
import { EventsModule, FeedConsumerRow } from './modules/events/index.js';
import { FormsModule } from './modules/forms/forms.module.js';
import { GlossaryModule } from './modules/glossary/glossary.module.js';
import { GraphqlModule } from './modules/graphql/graphql.module.js';
import {
  ChangeLogRow,
  ChangeLogSupervisor,
  DeletedVersionRow,
  PendingDeliveryRow,
} from './modules/change-log/index.js';
import { IncidentsModule } from './modules/incidents/incidents.module.js';
import { IngestModule, ReferenceCleanupRow } from './modules/ingest/index.js';
import { IngestionSourcesModule } from './modules/ingestion-sources/ingestion-sources.module.js';
import { LifecycleModule } from './modules/lifecycle/lifecycle.module.js';
import { Model } from './catalog/model/index.js';
import { NO_TRACING, type Tracing } from './catalog/tracing/index.js';
import { API_ROUTES, IdempotencyKeyRow, OpenapiModule } from './modules/openapi/index.js';
import { OpenlineageModule } from './modules/openlineage/openlineage.module.js';
import { LOAD_EXAMPLES } from './modules/operations/endpoint-listing.js';
import { OperationsModule } from './modules/operations/operations.module.js';
import { OwnershipModule } from './modules/ownership/ownership.module.js';
import { ServiceSecretRow } from './modules/paging/index.js';
import { PoliciesModule } from './modules/policies/index.js';
import { RelationshipsModule } from './modules/relationships/index.js';
import { StoreFactRow } from './adapters/database/store-fact.row.js';
import { SearchModule } from './modules/search/search.module.js';
import { PropertyRemovalRow } from './modules/structured-properties/entities/property-removal.row.js';
import { StructuredPropertiesModule } from './modules/structured-properties/structured-properties.module.js';
import { TagsModule } from './modules/tags/tags.module.js';
import { TokensModule } from './modules/tokens/tokens.module.js';
import { IntegrityModule } from './modules/integrity/integrity.module.js';
import { RetentionModule } from './modules/retention/retention.module.js';
import { TransferModule } from './modules/transfer/transfer.module.js';
import { TimelineModule } from './modules/timeline/index.js';
import { TimeseriesModule } from './modules/timeseries/index.js';
import { UsersModule } from './modules/users/users.module.js';
import { SecretsModule } from './modules/secrets/secrets.module.js';
import { AccountRow, InvitationRow, SignInAttemptRow, SignInModule } from './modules/sign-in/index.js';
import { VersionsModule } from './modules/versions/versions.module.js';
import { ViewsModule } from './modules/views/views.module.js';
import { WebhookRow, WebhooksModule } from './modules/webhooks/index.js';

/** The tables of the modules, each described by the module that owns it; the migrations make them, a test compares the two. */
export const ROWS = [
  EntityRow,
  AspectRow,
  AspectHistoryRow,
  DeletedAspectRow,
  ClaimRow,
  RelationshipRow,
  TimeseriesAspectRow,
  ChangeLogRow,
  DeletedVersionRow,
  PendingDeliveryRow,
  ReferenceCleanupRow,
  PropertyRemovalRow,
  WebhookRow,
  FeedConsumerRow,
  StoreFactRow,
  AccessTokenRow,
  AccountRow,
  InvitationRow,
  SignInAttemptRow,
  AuditRow,
  AuditChainRow,
  ServiceSecretRow,
  IdempotencyKeyRow,
  WriteReceiptRow,
];

/** How long a stop waits for the last lines of the log. */
const LAST_LINES_MS = 1_000;

/** The composition root: binds the ports to their adapters and lists the modules. */
@Module({})
export class AppModule implements OnApplicationShutdown {
  constructor(
    private readonly supervisor: ChangeLogSupervisor,
    private readonly parts: Disposables,
  ) {}

  /** @param parts what is opened of the backing services, for the caller that may have to close it before the service runs */
  static with(
    configuration: Configuration,
    parts = new Disposables(),
    tracing: Tracing = NO_TRACING,
  ): DynamicModule {
    makeFolder(configuration.home);
    return {
      module: AppModule,
      global: true,
      // Routes are loaded lazily: only the building of documents needs them.
      providers: [
        { provide: API_ROUTES, useValue: async () => (await import('./api-routes.js')).ROUTES },
        {
          provide: LOAD_EXAMPLES,
          inject: [Model],
          useFactory: (model: Model) => async () =>
            (await import('./modules/openapi/examples/load-examples.js')).loadExamples(model),
        },
      ],
      exports: [API_ROUTES, LOAD_EXAMPLES],
      imports: [
        BackingModule.with(configuration, ROWS, parts, tracing),
        AuthModule.forRoot(authOptions(configuration)),
        AuditModule,
        PoliciesModule,
        OperationsModule,
        IngestModule,
        EntitiesModule,
        RelationshipsModule,
        TimeseriesModule,
        SearchModule,
        LifecycleModule,
        TimelineModule,
        EventsModule,
        WebhooksModule,
        TransferModule,
        IntegrityModule,
        RetentionModule,
        DatasetsModule,
        DataProductsModule,
        UsersModule,
        VersionsModule,
        ViewsModule,
        FormsModule,
        SecretsModule.with(configuration.secretKey),
        AssertionsModule,
        IncidentsModule,
        IngestionSourcesModule,
        GlossaryModule,
        DomainsModule,
        TagsModule,
        OwnershipModule,
        StructuredPropertiesModule,
        GraphqlModule.with(graphqlLimits(configuration)),
        TokensModule,
        SignInModule,
        OpenapiModule,
        OpenlineageModule,
      ],
    };
  }

  /** Stops background work first, and then closes the backing services. */
  async onApplicationShutdown(): Promise<void> {
    await this.supervisor.stop();
    await this.parts.close().finally(() => standardOutput().flush(LAST_LINES_MS));
  }
}

function authOptions(configuration: Configuration): Parameters<typeof AuthModule.forRoot>[0] {
  const { auth, home, role, adminToken, tokensPerUser } = configuration;
  return {
    auth,
    home,
    role,
    adminToken,
    tokensPerUser,
    administrator: compatibilityWith(configuration.compatibility).administrator,
    sessionMs: configuration.sessionHours * 3_600_000,
    oidc: {
      issuers: configuration.oidcIssuers,
      audience: configuration.oidcAudience,
      userClaim: configuration.oidcUserClaim,
      groupsClaims: configuration.oidcGroupsClaims,
      roles: configuration.oidcRoles,
      provision: configuration.oidcProvision === 'on',
      defaultRole: configuration.oidcDefaultRole === 'none' ? undefined : 'READER',
    },
    print: (text) => standardOutput().write(text),
  };
}

function graphqlLimits(configuration: Configuration): Parameters<typeof GraphqlModule.with>[0] {
  return {
    maxDepth: configuration.graphqlMaxDepth,
    maxCost: configuration.graphqlMaxCost,
    maxSearchCost: configuration.graphqlMaxSearchCost,
    maxValues: configuration.graphqlMaxValues,
    maxAliases: configuration.graphqlMaxAliases,
    maxTokens: configuration.graphqlMaxTokens,
    maxBatch: configuration.graphqlMaxBatch,
    timeoutMs: configuration.graphqlTimeoutMs,
  };
}
