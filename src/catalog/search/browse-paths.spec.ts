import { expect, it } from '@jest/globals';
import { documentOf } from '../../../test/conformance/search-fixture.js';

it.each([
  ['urn:li:dataset:(urn:li:dataPlatform:hive,Lake.Raw.orders,DEV)', '/dev/hive/lake/raw'],
  ['urn:li:dataset:(urn:li:dataPlatform:s3,bucket/folder/file.csv,PROD)', '/prod/s3/bucket/folder'],
  ['urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)', '/prod/kafka'],
  ['urn:li:chart:(looker,12)', '/looker'],
  ['urn:li:dashboard:(looker,12)', '/looker'],
  ['urn:li:dataFlow:(airflow,nightly,PROD)', '/airflow/prod'],
  ['urn:li:dataJob:(urn:li:dataFlow:(airflow,nightly,PROD),load)', '/airflow/prod/nightly'],
  ['urn:li:mlModel:(urn:li:dataPlatform:mlflow,churn.v2,PROD)', '/prod/mlflow/churn'],
  ['urn:li:tag:pii', undefined],
  ['urn:li:container:abc', undefined],
])('%s is found at %s unless it is given a path', (urn, path) => {
  expect(documentOf(urn).fields['browsePaths']).toEqual(path === undefined ? undefined : [path]);
});

it('gives way to the paths that people give', () => {
  const paths = ['/somewhere/else'];
  expect(documentOf('urn:li:chart:(looker,12)', { browsePaths: { paths } }).fields['browsePaths']).toEqual(
    paths,
  );
});
