/** What a reader can follow. Source: events page of the contract. */
export const TOPICS = [
  'PlatformEvent_v1',
  'MetadataChangeLog_Versioned_v1',
  'MetadataChangeLog_Timeseries_v1',
] as const;
export type Topic = (typeof TOPICS)[number];

/** Kinds of platform events. */
export const CATEGORIES = [
  'TAG',
  'GLOSSARY_TERM',
  'DOMAIN',
  'OWNER',
  'STRUCTURED_PROPERTY',
  'APPLICATION',
  'DEPRECATION',
  'DOCUMENTATION',
  'TECHNICAL_SCHEMA',
  'LIFECYCLE',
  'RUN',
  'RELATIONSHIP',
] as const;
