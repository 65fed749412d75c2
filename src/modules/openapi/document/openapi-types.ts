import type { JsonSchema } from '../../../catalog/model/index.js';

export type HttpMethod = 'get' | 'head' | 'post' | 'patch' | 'put' | 'delete';
export type Schema = JsonSchema;

export interface Reference {
  $ref: string;
  description?: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required?: boolean;
  schema: Schema;
  style?: string;
  explode?: boolean;
  example?: unknown;
}

export interface MediaType {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface Response {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  deprecated?: boolean;
  security?: unknown[];
  parameters?: Array<Parameter | Reference>;
  requestBody?: { required: boolean; description?: string; content: Record<string, MediaType> };
  responses: Record<string, Response | Reference>;
}

export type PathItem = { parameters?: Array<Parameter | Reference> } & {
  [method in HttpMethod]?: Operation;
};

/** An OpenAPI 3.1 document. */
export interface OpenapiDocument {
  openapi: string;
  info: { title: string; version: string; description: string; license: { name: string; url: string } };
  servers: Array<{ url: string }>;
  security: unknown[];
  tags: Array<{ name: string; description?: string }>;
  paths: Record<string, PathItem>;
  components: Record<string, Record<string, unknown>>;
}
