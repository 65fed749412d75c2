import { tryParseUrn } from '../../catalog/urn/index.js';
import { OWNER_TYPES } from '../../modules/ownership/index.js';
import { isSystemType, roleOf, typeUrnOf, type Owner } from '../../modules/ownership/owners.js';
import { listCell, readList } from './cells.js';
import { changedList, type WantedEntry } from './changed-list.js';
import type { CsvField, RowFault } from './csv-field.js';
import type { Subject } from './draft.js';

const ASPECT = 'ownership';

/**
 * Owners, and the kinds of their ownership: a word for those that ship with the service, a URN for others. One kind holds for
 * all owners of the cell; several stand in the order of the owners.
 * @param words that there are
 */
export function ownerField(words: readonly string[]): CsvField {
  const ownersOf = ({ draft }: Subject): Owner[] => (draft.value(ASPECT)?.['owners'] ?? []) as Owner[];
  const typeOf = (owner: Owner): string => roleCell(owner, words);
  return {
    headers: ['owners', 'ownership_type', 'ownership_type_urn'],
    aspects: (spec) => (spec.aspects.has(ASPECT) ? [ASPECT] : []),
    fits: ({ draft, column }) => column === undefined && draft.spec.aspects.has(ASPECT),
    cells(subject) {
      const owners = ownersOf(subject);
      const types = owners.map(typeOf);
      const one = new Set(types).size <= 1;
      return [listCell(owners.map(({ owner }) => owner)), one ? (types[0] ?? '') : listCell(types), ''];
    },
    mentions(cells, subject) {
      const { wanted } = read(cells, words);
      const current = ownersOf(subject);
      return wanted
        .filter((entry) => !current.some((owner) => entry.matches(owner)))
        .flatMap(({ owner, type }) => [owner, ...(tryParseUrn(type) && !isSystemType(type) ? [type] : [])])
        .filter((urn) => [...OWNER_TYPES, 'ownershipType'].includes(tryParseUrn(urn)?.type ?? ''));
    },
    apply(subject, cells, mode, { line, plan, exists }) {
      const current = ownersOf(subject);
      const { wanted, faults } = read(cells, words);
      for (const entry of wanted) {
        if (current.some((owner) => entry.matches(owner))) continue;
        const { owner, type } = entry;
        if (!OWNER_TYPES.includes(tryParseUrn(owner)?.type ?? ''))
          faults.push({ column: 'owners', message: `${owner} is no URN of a user or a group` });
        else if (!exists(owner)) faults.push({ column: 'owners', message: `${owner} does not exist` });
        const isWord = type === '' || words.includes(type);
        if (isWord || isSystemType(type)) continue;
        if (tryParseUrn(type)?.type !== 'ownershipType')
          faults.push({
            column: 'ownership_type',
            message: `"${type}" is none of ${words.join(', ')}, and no URN`,
          });
        else if (!exists(type)) faults.push({ column: 'ownership_type', message: `${type} does not exist` });
      }
      plan.faults.push(...faults);
      if (faults.length > 0) return;
      const nameOf = (owner: Owner): string => `${owner.owner} (${typeOf(owner)})`;
      const owners = changedList('owners', current, wanted, mode, plan, nameOf);
      if (owners !== undefined) subject.draft.put(ASPECT, { owners }, line);
    },
  };
}

interface WantedOwner extends WantedEntry<Owner> {
  readonly owner: string;
  /** A word, or a URN; '' = any, and none for a new one. */
  readonly type: string;
}

function read(
  [ownersCell = '', typesCell = '', urnCell = '']: readonly string[],
  words: readonly string[],
): { wanted: WantedOwner[]; faults: RowFault[] } {
  const trimmed = (cell: string): string[] => readList(cell).map((text) => text.trim());
  const owners = trimmed(ownersCell).filter(Boolean);
  const types = trimmed(urnCell).length > 0 ? trimmed(urnCell) : trimmed(typesCell);
  const faults: RowFault[] = [];
  if (types.length > 1 && types.length !== owners.length) {
    const message = `there are ${owners.length} owners and ${types.length} types: give one for all, or one for each`;
    faults.push({ column: 'ownership_type', message });
  }
  const wanted = owners.map((owner, i): WantedOwner => {
    const type = (types.length > 1 ? types[i] : types[0]) ?? '';
    const role = tryParseUrn(type)
      ? roleOf(undefined, type, words)
      : roleOf(type || undefined, undefined, words);
    return {
      ...{ owner, type, name: `${owner} (${role.type === 'CUSTOM' ? role.typeUrn : role.type})` },
      matches: (other) => other.owner === owner && (type === '' || typeUrnOf(other) === role.typeUrn),
      make: () => ({ owner, ...role, source: { type: 'MANUAL' } }),
    };
  });
  const distinct = wanted.filter(
    ({ owner, type }, i) => wanted.findIndex((other) => other.owner === owner && other.type === type) === i,
  );
  return { wanted: distinct, faults };
}

/** How the kind of ownership of an owner is written in a cell. */
function roleCell(owner: Owner, words: readonly string[]): string {
  const typeUrn = typeUrnOf(owner);
  const { type } = roleOf(undefined, typeUrn, words);
  return type === 'CUSTOM' ? typeUrn : type;
}
