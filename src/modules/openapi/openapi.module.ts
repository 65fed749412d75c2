import { Module } from '@nestjs/common';

/** The OpenAPI surface. */
@Module({})
export class OpenapiModule {}
