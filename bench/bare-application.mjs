// What every application on these packages pays: Nest on Fastify with one route, and the imports of the catalog.
import 'reflect-metadata';
import 'ajv';
import 'ajv-formats';
import 'fast-json-patch';
import 'passport';
import 'passport-http-bearer';
import 'pino';
import 'typeorm';
import 'yaml';
import '@nestjs/passport';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';

class Root {
  hello() {
    return 'ready';
  }
}
Get()(Root.prototype, 'hello', Object.getOwnPropertyDescriptor(Root.prototype, 'hello'));
Controller()(Root);
class Application {}
Module({ controllers: [Root] })(Application);

const application = await NestFactory.create(Application, new FastifyAdapter(), { logger: false });
application.enableShutdownHooks();
await application.listen(Number(process.env.PORT), '127.0.0.1');
