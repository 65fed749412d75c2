import { Module } from '@nestjs/common';

/** Tags. */
@Module({})
export class TagsModule {}
