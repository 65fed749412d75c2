import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { AuditStamp } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { given } from '../../catalog/json/given.js';
import { sameJson } from '../../catalog/json/same-json.js';
import { withArticle } from '../../catalog/with-article.js';
import {
  EditService,
  refuseEmpty,
  type AspectEdit,
  type ColumnsEdit,
  type EditedColumn,
  type Mention,
} from '../ingest/index.js';
import { deprecationOf } from '../lifecycle/index.js';
import { OWNER_TYPES, OwnerRules } from '../ownership/index.js';
import { DatasetColumns } from './dataset-columns.js';
import { checkUrl, type Link } from './links.js';

type Maybe<T> = T | null | undefined;

interface TagsInput {
  readonly tags: ReadonlyArray<{ tag: { urn: string } }>;
}

/** What `updateDataset` and its like may say; parts that are left out stay as they are. */
interface DatasetUpdate {
  readonly editableProperties?: Maybe<{ description: string; name?: Maybe<string> }>;
  readonly institutionalMemory?: Maybe<{
    elements: ReadonlyArray<{
      url: string;
      description?: Maybe<string>;
      author: string;
      createdAt?: Maybe<number>;
    }>;
  }>;
  readonly ownership?: Maybe<{
    owners: ReadonlyArray<{ owner: string; type?: Maybe<string>; ownershipTypeUrn?: Maybe<string> }>;
  }>;
  readonly deprecation?: Maybe<{
    deprecated: boolean;
    decommissionTime?: Maybe<number>;
    note?: Maybe<string>;
    replacement?: Maybe<string>;
  }>;
  readonly globalTags?: Maybe<TagsInput>;
  readonly tags?: Maybe<TagsInput>;
  readonly editableSchemaMetadata?: Maybe<{
    editableSchemaFieldInfo: ReadonlyArray<{
      fieldPath: string;
      description?: Maybe<string>;
      globalTags?: Maybe<TagsInput>;
    }>;
  }>;
}

/** Types of entities that can be changed so, and the aspect that has what people write about them. */
const EDITABLE = {
  dataset: 'editableDatasetProperties',
  chart: 'editableChartProperties',
  dashboard: 'editableDashboardProperties',
  dataFlow: 'editableDataFlowProperties',
  dataJob: 'editableDataJobProperties',
} as const;

/** An update, the entity it is for, and where both stand in the request. */
interface DatasetUpdateRequest {
  /** What the entity must be. */
  readonly type: keyof typeof EDITABLE;
  readonly urn: string;
  readonly urnAt: string;
  readonly update: DatasetUpdate;
  readonly updateAt: string;
}

/**
 * Changes several parts of datasets, charts, dashboards, flows and jobs in one go. A part that is given replaces what stood there; of the columns, only
 * those that are named change. Source: specification, "updateDataset".
 */
@Injectable()
export class DatasetUpdatesService {
  constructor(
    private readonly edits: EditService,
    private readonly ownerRules: OwnerRules,
    private readonly columns: DatasetColumns,
  ) {}

  /** All entities in one transaction, or none of them. */
  async update(principal: Principal, requests: readonly DatasetUpdateRequest[]): Promise<void> {
    await this.edits.submit(
      principal,
      requests.flatMap((request) => this.editsOf(request, principal.actor)),
    );
  }

  private editsOf(
    { type, urn, urnAt: at, update, updateAt }: DatasetUpdateRequest,
    caller: string,
  ): AspectEdit[] {
    const { entity } = this.edits.entity(urn, at);
    if (entity.name !== type)
      throw refuse(
        'PARAMETER_INVALID',
        `${urn} is ${withArticle(entity.name)}, not ${withArticle(type)}`,
        at,
      );
    const edits: AspectEdit[] = [
      // It must exist even when nothing is to be changed.
      { urn, at, aspect: entity.key.name, what: 'key', apply: () => undefined },
    ];
    const set = (aspect: string, part: Pick<AspectEdit, 'apply' | 'mentions'>): void => {
      edits.push({ urn, at, aspect, what: aspect, ...part });
    };
    const { editableProperties, institutionalMemory, ownership, deprecation } = update;
    if (editableProperties) set(EDITABLE[type], { apply: texts(editableProperties) });
    if (institutionalMemory) {
      const place = `${updateAt}/institutionalMemory/elements`;
      // The caller needs no entity to be the author: the token says who that is.
      const mentions = institutionalMemory.elements
        .map(({ author }, i): Mention => ({ urn: author, at: `${place}/${i}/author`, types: OWNER_TYPES }))
        .filter(({ urn: author }) => author !== caller);
      set('institutionalMemory', { mentions, apply: links(readLinks(institutionalMemory, place)) });
    }
    if (ownership) {
      const owners = this.ownerRules.read(
        ownership.owners.map(({ owner: ownerUrn, ...role }, i) => ({
          ownerUrn,
          ...role,
          at: `${updateAt}/ownership/owners/${i}`,
          urnAt: `${updateAt}/ownership/owners/${i}/owner`,
        })),
      );
      set('ownership', {
        mentions: owners.mentions,
        apply: (current, { stamp }) =>
          sameJson(current?.['owners'], owners.owners)
            ? undefined
            : { owners: owners.owners, lastModified: stamp },
      });
    }
    if (deprecation) {
      const said = given(deprecation);
      set('deprecation', { apply: (current, { stamp }) => deprecationOf(current, said, stamp) });
    }
    const [tags, tagsAt] = update.tags ? [update.tags, 'tags'] : [update.globalTags, 'globalTags'];
    if (tags) {
      const mentions = mentionsOf(tags, `${updateAt}/${tagsAt}/tags`);
      set('globalTags', { mentions, apply: () => tagsOf(tags) });
    }
    const { editableSchemaMetadata: written } = update;
    if (written) edits.push(this.columns.edit(columnsEdit(urn, at, written, updateAt)));
    return edits;
  }
}

function readLinks(
  { elements }: NonNullable<DatasetUpdate['institutionalMemory']>,
  at: string,
): Array<(stamp: AuditStamp) => Link> {
  return elements.map(({ url, description, author, createdAt }, i) => {
    checkUrl(url, `${at}/${i}/url`);
    return (stamp) => ({
      url,
      description: description ?? '',
      createStamp: { time: createdAt ?? stamp.time, actor: author },
    });
  });
}

function texts(input: NonNullable<DatasetUpdate['editableProperties']>): AspectEdit['apply'] {
  const said = given(input);
  return (current, { stamp }) => {
    if (current !== undefined && sameJson({ ...current, ...said }, current)) return undefined;
    return { ...(current ?? { created: stamp }), ...said, lastModified: stamp };
  };
}

/** Links replace each other as a whole; one that was there keeps its stamp. */
function links(elements: ReadonlyArray<(stamp: AuditStamp) => Link>): AspectEdit['apply'] {
  return (current, { stamp }) => {
    const before = (current?.['elements'] ?? []) as Link[];
    const next = elements.map((element) => {
      const link = element(stamp);
      const same = before.find(
        (old) =>
          old.url === link.url &&
          old.description === link.description &&
          old.createStamp.actor === link.createStamp.actor,
      );
      return same ?? link;
    });
    return { ...current, elements: next };
  };
}

function columnsEdit(
  urn: string,
  at: string,
  { editableSchemaFieldInfo: infos }: NonNullable<NonNullable<DatasetUpdate['editableSchemaMetadata']>>,
  updateAt: string,
): ColumnsEdit {
  const place = `${updateAt}/editableSchemaMetadata/editableSchemaFieldInfo`;
  refuseEmpty(infos, place);
  const byPath = new Map(infos.map((info) => [info.fieldPath, info]));
  return {
    urn,
    at,
    columns: infos.map(({ fieldPath: path }, i) => ({ path, at: `${place}/${i}/fieldPath` })),
    mentions: infos.flatMap(({ globalTags }, i) =>
      globalTags ? mentionsOf(globalTags, `${place}/${i}/globalTags/tags`) : [],
    ),
    change: (column) => {
      const info = byPath.get(column.fieldPath);
      const next: EditedColumn = {
        ...column,
        ...(typeof info?.description === 'string' && { description: info.description }),
        ...(info?.globalTags && { globalTags: tagsOf(info.globalTags) }),
      };
      return sameJson(next, column) ? undefined : next;
    },
  };
}

const mentionsOf = ({ tags }: TagsInput, at: string): Mention[] =>
  tags.map(({ tag: { urn } }, i) => ({ urn, at: `${at}/${i}/tag/urn`, types: ['tag'] }));

const tagsOf = ({ tags }: TagsInput): Record<string, unknown> => ({
  tags: [...new Set(tags.map(({ tag }) => tag.urn))].map((tag) => ({ tag })),
});
