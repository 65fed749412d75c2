/** Entities of the sample in `examples/`: what examples of calls are about, so that they have an answer after its import. */

export const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,brew.marts.orders,PROD)';
export const TAG = 'urn:li:tag:PII';
/** What wrote a part of it. */
export const RUN = 'third-kettle-2026-06';
export const USER = 'urn:li:corpuser:ines.okafor';
