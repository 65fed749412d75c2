/**
 * Terms, the folders they lie in, and domains: things that people make, name, and put below each other. This is where
 * they differ.
 */
export interface TreeKind {
  readonly entity: 'glossaryTerm' | 'glossaryNode' | 'domain';
  readonly aspect: string;
  /** Field of the aspect that holds what it means. */
  readonly text: 'definition' | 'description';
  /** Field of the aspect that names what it lies in, and the entity type of that. */
  readonly parent: 'parentNode' | 'parentDomain';
  readonly parentEntity: 'glossaryNode' | 'domain';
  /** For people. */
  readonly word: string;
  readonly tree: string;
  /** What the aspect holds besides. */
  readonly start: Readonly<Record<string, unknown>>;
}

export const TERM: TreeKind = {
  entity: 'glossaryTerm',
  aspect: 'glossaryTermInfo',
  text: 'definition',
  parent: 'parentNode',
  parentEntity: 'glossaryNode',
  word: 'Glossary Term',
  tree: 'the Business Glossary',
  start: { definition: '', termSource: 'INTERNAL' },
};

export const NODE: TreeKind = {
  entity: 'glossaryNode',
  aspect: 'glossaryNodeInfo',
  text: 'definition',
  parent: 'parentNode',
  parentEntity: 'glossaryNode',
  word: 'Glossary Node',
  tree: 'the Business Glossary',
  start: { definition: '' },
};

export const DOMAIN: TreeKind = {
  entity: 'domain',
  aspect: 'domainProperties',
  text: 'description',
  parent: 'parentDomain',
  parentEntity: 'domain',
  word: 'Domain',
  tree: 'the Domains',
  start: {},
};

export const TREE_KINDS: readonly TreeKind[] = [TERM, NODE, DOMAIN];
