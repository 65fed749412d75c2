import { byCompatibility, path, pattern, word } from '../variable.js';

/** The model, and how its entities and fields are read and written. */
export const METADATA = {
  models: path('CATALOG_MODELS', 'folder with YAML files of your own entities and aspects', 'none'),
  compatibility: word(
    'CATALOG_COMPATIBILITY',
    'what is followed where the specification and the reference catalog of the field differ; see compatibility.md',
    ['specification', 'reference'],
  ),
  unknownFields: byCompatibility(
    word<'refuse' | 'keep'>('CATALOG_UNKNOWN_FIELDS', 'fields of an aspect that its schema does not know', [
      'refuse',
      'keep',
    ]),
    'unknownFields',
  ),
  references: word('CATALOG_REFERENCES', 'whether raw ingest may name terms and tags that do not exist', [
    'lenient',
    'strict',
  ]),
  vendor: byCompatibility(
    pattern(
      'CATALOG_VENDOR',
      'vendor word in the URNs that the service makes (urn:li:dataType:<vendor>.string)',
      'platform',
      'a word of letters and digits',
      /^[A-Za-z][A-Za-z0-9]{0,63}$/,
    ),
    'vendor',
  ),
  recordNamespace: pattern(
    'CATALOG_RECORD_NAMESPACE',
    'namespace of the record names that the service writes',
    'com.linkedin',
    'words joined by dots',
    /^(?=.{1,128}$)[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/,
  ),
} as const;
