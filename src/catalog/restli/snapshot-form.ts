/**
 * Whether a snapshot of this entity holds its aspects as fields of their own names instead of a list of records:
 * the form that glossary terms have. Source: specification, section B.
 */
export function snapshotHoldsAspectsByName(entity: string): boolean {
  return entity === 'glossaryTerm';
}
