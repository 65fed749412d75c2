/**
 * One example of each operation that the specification names, and a few that belong to them. All of them speak of the
 * sample of `examples/`, and each works on it by itself, in any order.
 */

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,brew.marts.orders,PROD)';
const TERM = 'urn:li:glossaryTerm:Commerce.Order';
const NEW_TERM = 'urn:li:glossaryTerm:Finance.NetRevenue';
const PROPERTY = 'urn:li:structuredProperty:tk.governance.retentionDays';

export const EXAMPLES = [
  {
    group: 'Reading',
    title: 'Who am I?',
    query: `query whoAmI {
  me {
    corpUser { urn username }
    platformPrivileges { manageTokens createTags }
  }
}`,
  },
  {
    group: 'Reading',
    title: 'A dataset with what is said about it',
    query: `query dataset($urn: String!) {
  dataset(urn: $urn) {
    urn
    name
    properties { description }
    glossaryTerms { terms { term { urn glossaryTermInfo { name description } } } }
    tags { tags { tag { urn name } } }
    ownership { owners { owner { ... on CorpUser { username } ... on CorpGroup { name } } type } }
    schemaMetadata { fields { fieldPath type description } }
    structuredProperties {
      properties {
        structuredProperty { definition { displayName } }
        values { ... on StringValue { stringValue } ... on NumberValue { numberValue } }
      }
    }
  }
}`,
    variables: { urn: DATASET },
  },
  {
    group: 'Reading',
    title: 'Any entity, with its aspects as JSON',
    query: `query entity($urn: String!) {
  entity(urn: $urn) { urn type exists aspects { aspectName payload } }
}`,
    variables: { urn: DATASET },
  },
  {
    group: 'Reading',
    title: 'A structured property',
    query: `query structuredProperty($urn: String!) {
  structuredProperty(urn: $urn) {
    urn
    type
    definition {
      qualifiedName
      displayName
      description
      cardinality
      allowedValues { value { ... on StringValue { stringValue } ... on NumberValue { numberValue } } description }
      entityTypes { urn info { type qualifiedName } }
    }
  }
}`,
    variables: { urn: PROPERTY },
  },
  {
    group: 'Finding',
    title: 'Search across entities',
    query: `query search($query: String!) {
  searchAcrossEntities(input: { query: $query, start: 0, count: 10 }) {
    total
    searchResults {
      entity { urn type ... on Dataset { name properties { description } } }
      matchedFields { name value }
    }
    facets { field displayName aggregations { value count } }
  }
}`,
    variables: { query: 'late parcels' },
  },
  {
    group: 'Finding',
    title: 'Walk over all datasets (scrollAcrossEntities)',
    query: `query scroll($scrollId: String) {
  scrollAcrossEntities(
    input: {
      types: DATASET
      count: 10
      query: "*"
      scrollId: $scrollId
      orFilters: { and: [{ field: "platform", condition: EXISTS }] }
    }
  ) {
    nextScrollId
    total
    searchResults { entity { urn type } }
  }
}`,
    variables: { scrollId: null },
  },
  {
    group: 'Finding',
    title: 'By the value of a structured property',
    query: `query byProperty {
  scrollAcrossEntities(
    input: {
      types: DATASET
      count: 10
      query: "*"
      orFilters: {
        and: [
          { field: "structuredProperties.tk.governance.retentionDays", condition: GREATER_THAN, values: ["365"] }
        ]
      }
    }
  ) {
    searchResults { entity { urn type } }
  }
}`,
  },
  {
    group: 'Finding',
    title: 'Count the values of fields (aggregateAcrossEntities)',
    query: `query aggregate {
  aggregateAcrossEntities(
    input: { types: [], facets: ["platform", "tags"], query: "*", orFilters: [], searchFlags: { maxAggValues: 100 } }
  ) {
    facets { field aggregations { value count } }
  }
}`,
  },
  {
    group: 'Finding',
    title: 'Lineage',
    query: `query lineage($urn: String!) {
  searchAcrossLineage(input: { urn: $urn, direction: UPSTREAM, count: 10 }) {
    total
    searchResults { degree entity { urn type } paths { path { urn } } }
  }
}`,
    variables: { urn: DATASET },
  },
  {
    group: 'Glossary',
    title: 'Create a glossary term',
    query: `mutation createGlossaryTerm($input: CreateGlossaryEntityInput!) {
  createGlossaryTerm(input: $input)
}`,
    variables: {
      input: {
        name: 'Average order value',
        id: 'Finance.AverageOrderValue',
        parentNode: 'urn:li:glossaryNode:Finance',
        description: 'Net revenue of a period, divided by its orders',
      },
    },
  },
  {
    group: 'Glossary',
    title: 'Attach terms to a dataset',
    query: `mutation addTerms($input: AddTermsInput!) {
  addTerms(input: $input)
}`,
    variables: { input: { termUrns: ['urn:li:glossaryTerm:Finance.GrossRevenue'], resourceUrn: DATASET } },
  },
  {
    group: 'Glossary',
    title: 'Attach terms to a column',
    query: `mutation addTermsToColumn($input: AddTermsInput!) {
  addTerms(input: $input)
}`,
    variables: {
      input: {
        termUrns: [NEW_TERM],
        resourceUrn: DATASET,
        subResourceType: 'DATASET_FIELD',
        subResource: 'net_revenue',
      },
    },
  },
  {
    group: 'Glossary',
    title: 'Remove a term from a dataset',
    query: `mutation removeTerm($input: TermAssociationInput!) {
  removeTerm(input: $input)
}`,
    variables: { input: { termUrn: TERM, resourceUrn: DATASET } },
  },
  {
    group: 'Glossary',
    title: 'Remove terms from several entities',
    query: `mutation batchRemoveTerms($input: BatchRemoveTermsInput!) {
  batchRemoveTerms(input: $input)
}`,
    variables: { input: { termUrns: [TERM], resources: [{ resourceUrn: DATASET }] } },
  },
  {
    group: 'Descriptions',
    title: 'Describe a dataset, and link its documentation',
    query: `mutation updateDataset($urn: String!, $input: DatasetUpdateInput!) {
  updateDataset(urn: $urn, input: $input) { urn }
}`,
    variables: {
      urn: DATASET,
      input: {
        editableProperties: { description: '## Orders\nThe certified table: one row an **order**.' },
        institutionalMemory: {
          elements: {
            author: 'urn:li:corpuser:ines.okafor',
            url: 'https://wiki.thirdkettle.example/marts/orders',
            description: 'Questions people ask about orders, with queries',
          },
        },
      },
    },
  },
  {
    group: 'Descriptions',
    title: 'Describe a column',
    query: `mutation updateDescription($input: DescriptionUpdateInput!) {
  updateDescription(input: $input)
}`,
    variables: {
      input: {
        description: 'Revenue that we keep, *without* VAT and refunds',
        resourceUrn: DATASET,
        subResource: 'net_revenue',
        subResourceType: 'DATASET_FIELD',
      },
    },
  },
  {
    group: 'Structured properties',
    title: 'Create a property',
    query: `mutation createStructuredProperty($input: CreateStructuredPropertyInput!) {
  createStructuredProperty(input: $input) { urn }
}`,
    variables: {
      input: {
        id: 'tk.usage.reportsTo',
        qualifiedName: 'tk.usage.reportsTo',
        displayName: 'Reports to',
        description: 'The board meeting that reads the figures',
        valueType: 'urn:li:dataType:platform.string',
        allowedValues: [
          { stringValue: 'weekly', description: 'The meeting of the depots' },
          { stringValue: 'monthly', description: 'The meeting of the owners' },
        ],
        cardinality: 'SINGLE',
        entityTypes: ['urn:li:entityType:platform.dataset'],
      },
    },
  },
  {
    group: 'Structured properties',
    title: 'Add an allowed value',
    query: `mutation updateStructuredProperty($input: UpdateStructuredPropertyInput!) {
  updateStructuredProperty(input: $input) { urn }
}`,
    variables: {
      input: { urn: PROPERTY, newAllowedValues: [{ numberValue: 3650, description: 'Ten years' }] },
    },
  },
  {
    group: 'Structured properties',
    title: 'Set the properties of a dataset',
    query: `mutation upsertStructuredProperties($input: UpsertStructuredPropertiesInput!) {
  upsertStructuredProperties(input: $input) { properties { structuredProperty { urn } } }
}`,
    variables: {
      input: {
        assetUrn: DATASET,
        structuredPropertyInputParams: [{ structuredPropertyUrn: PROPERTY, values: [{ numberValue: 2555 }] }],
      },
    },
  },
  {
    group: 'Structured properties',
    title: 'Remove properties from a dataset',
    query: `mutation removeStructuredProperties($input: RemoveStructuredPropertiesInput!) {
  removeStructuredProperties(input: $input) { properties { structuredProperty { urn } } }
}`,
    variables: {
      input: {
        assetUrn: DATASET,
        structuredPropertyUrns: ['urn:li:structuredProperty:tk.quality.freshnessHours'],
      },
    },
  },
];
