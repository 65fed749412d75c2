/* global localStorage, location */
import { buildClientSchema, buildSchema, getIntrospectionQuery, printSchema } from 'graphql';

const KEY = 'metadata-catalog:schema';
const CONFIG = new URL('config', location.href.replace(/\/graphiql\/?([?#].*)?$/, '/'));

/**
 * The schema of the service. The browser keeps it, as text, for the version and model it was read from: it is a
 * megabyte to read.
 * @param ask sends an operation and returns the response
 * @returns undefined when the service does not tell it
 */
export async function readSchema(ask) {
  const { versions } = await (await fetch(CONFIG)).json();
  const version = JSON.stringify(versions);
  const [keptVersion, text] = kept();
  if (keptVersion === version) return buildSchema(text, { assumeValid: true });
  const { data } = await ask({ query: getIntrospectionQuery({ inputValueDeprecation: true }) });
  if (data === undefined || data === null) return undefined;
  const schema = buildClientSchema(data);
  keep([version, printSchema(schema)]);
  return schema;
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

function keep(entry) {
  try {
    localStorage.setItem(KEY, JSON.stringify(entry));
  } catch {
    // A browser without room for it reads it again.
  }
}
