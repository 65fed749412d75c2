import { Field, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { VERSION } from '../../version.js';
import { FEATURE_FLAGS, FeatureFlagsConfig, PARTS } from './app-config.parts.js';
import { optional } from './types/index.js';

@ObjectType('TelemetryConfig', { description: 'What is reported to others.' })
class TelemetryConfig {
  @Field(() => Boolean, {
    nullable: true,
    description: 'Always false: the service reports nothing to others.',
  })
  enableThirdPartyLogging!: boolean;
}

@ObjectType('AwsProviderConfig', { description: 'A provider of embeddings at Amazon.' })
class AwsProviderConfig {
  @Field(() => String) region!: string;
}

@ObjectType('VertexProviderConfig', { description: 'A provider of embeddings at Google.' })
class VertexProviderConfig {
  @Field(() => String) projectId!: string;
  @Field(() => String) location!: string;
}

@ObjectType('EmbeddingConfig', { description: 'How texts become vectors.' })
class EmbeddingConfig {
  @Field(() => String) provider!: string;
  @Field(() => String) modelId!: string;
  @Field(() => String) modelEmbeddingKey!: string;
  @Field(() => AwsProviderConfig, optional) awsProviderConfig!: AwsProviderConfig | null;
  @Field(() => VertexProviderConfig, optional) vertexProviderConfig!: VertexProviderConfig | null;
}

@ObjectType('SemanticSearchConfig', { description: 'Search by meaning, which the service does not have.' })
class SemanticSearchConfig {
  @Field(() => Boolean, { description: 'Always false.' }) enabled!: boolean;
  @Field(() => [String], { description: 'Always empty.' }) enabledEntities!: string[];
  @Field(() => EmbeddingConfig, { nullable: true, description: 'Always null.' })
  embeddingConfig!: EmbeddingConfig | null;
}

@ObjectType('AppConfig', { description: 'What clients want to know of the service before they begin.' })
class AppConfig {
  @Field(() => String, { nullable: true, description: 'Version of the service.' }) appVersion!: string;
  @Field(() => TelemetryConfig) telemetryConfig!: TelemetryConfig;
  @Field(() => SemanticSearchConfig, optional) semanticSearchConfig!: SemanticSearchConfig;
  @Field(() => FeatureFlagsConfig) featureFlags!: object;
}
for (const [name, { type, description }] of Object.entries(PARTS))
  Field(() => type, { description })(AppConfig.prototype, name);

const APP_CONFIG = {
  appVersion: VERSION,
  telemetryConfig: { enableThirdPartyLogging: false },
  semanticSearchConfig: { enabled: false, enabledEntities: [], embeddingConfig: null },
  featureFlags: FEATURE_FLAGS,
  ...Object.fromEntries(Object.entries(PARTS).map(([name, { value }]) => [name, value])),
} as AppConfig;

/** What clients ask before they begin. */
@Resolver()
export class AppConfigResolver {
  @Query(() => AppConfig, {
    nullable: true,
    description: 'What clients want to know of the service before they begin.',
  })
  appConfig(): AppConfig {
    return APP_CONFIG;
  }

  @Query(() => Boolean, { description: 'Whether there are pages of usage: always false.' })
  isAnalyticsEnabled(): boolean {
    return false;
  }
}
