import { isRecord, unionMember, type JsonSchema, type Model } from '../../../catalog/model/index.js';

/**
 * The one type of entities that the URNs in a property of a record may name, as the marks of the aspects say it, by
 * record and property: `query.QuerySubject.entity`. Properties that may name several types are not in it.
 */
export function urnTargets(model: Model): ReadonlyMap<string, string> {
  const all = new Map<string, Set<string>>();
  for (const aspect of model.aspects.values())
    for (const { path, targets } of [...aspect.urns, ...aspect.relationships]) {
      const place = placeOf(model, aspect.record, path);
      if (place === undefined) continue;
      const known = all.get(place) ?? new Set<string>();
      for (const target of targets) known.add(target);
      all.set(place, known);
    }
  return new Map(
    [...all].flatMap(([place, [target, other]]) =>
      target !== undefined && other === undefined ? [[place, target] as const] : [],
    ),
  );
}

function placeOf(model: Model, record: string, path: readonly string[]): string | undefined {
  let here: JsonSchema | undefined = model.definitions.get(record);
  let within = record;
  let place: string | undefined;
  for (const segment of path) {
    while (here?.$ref !== undefined) {
      within = here.$ref;
      here = model.definitions.get(within);
    }
    if (!here) return undefined;
    if (segment === '*')
      here = here.items ?? (isRecord(here.additionalProperties) ? here.additionalProperties : undefined);
    else if (here['x-union']) here = unionMember(here, segment);
    else {
      place = `${within}.${segment}`;
      here = here.properties?.[segment];
    }
  }
  return place;
}
