import {
  DatasetStatisticsDocument,
  EntityDocument,
  HistoryDocument,
  ImpactDocument,
  LineageStartDocument,
} from '../generated.js';
import { quoted, Ways } from '../same-as.js';

/** How programs get what each tab of an entity shows. */
export function SameAsAll({ urn }: { urn: string }) {
  return (
    <>
      <Ways document={EntityDocument} variables={{ urn }} command={`get ${quoted(urn)}`} />
      {urn.startsWith('urn:li:dataset:') && (
        <details>
          <summary>Its statistics</summary>
          <Ways document={DatasetStatisticsDocument} variables={{ urn }} />
        </details>
      )}
      <details>
        <summary>Its history</summary>
        <Ways document={HistoryDocument} variables={{ input: { urn } }} />
      </details>
      <details>
        <summary>Its lineage: one step</summary>
        <Ways document={LineageStartDocument} variables={{ urn }} />
      </details>
      <details>
        <summary>Its lineage: what it reaches</summary>
        <Ways
          document={ImpactDocument}
          variables={{ input: { urn, direction: 'DOWNSTREAM', query: '*', count: 20 } }}
        />
      </details>
    </>
  );
}
