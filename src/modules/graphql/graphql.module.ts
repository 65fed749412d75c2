import { Module } from '@nestjs/common';

/** The GraphQL surface. */
@Module({})
export class GraphqlModule {}
