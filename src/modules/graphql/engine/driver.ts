import { AbstractGraphQLDriver, type GqlModuleOptions } from '@nestjs/graphql';

/** Only makes the schema: operations reach it through our own endpoint, and are run by our own engine. */
export class SchemaDriver extends AbstractGraphQLDriver {
  start(_options: GqlModuleOptions): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
