import { Module } from '@nestjs/common';

/** Glossary terms and nodes. */
@Module({})
export class GlossaryModule {}
