import { Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../../catalog/auth/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { Model, type AspectSpec, type EntitySpec } from '../../../catalog/model/index.js';
import { RecordNamespace } from '../../../catalog/restli/index.js';
import { EntityNames } from '../../entities/index.js';

export interface RegistryPage {
  start: number;
  count: number;
  total: number;
  elements: object[];
}

interface Range {
  start: number;
  count: number;
}

/** The model, as clients ask about it. */
@Injectable()
export class RegistryService {
  constructor(
    private readonly model: Model,
    private readonly names: EntityNames,
    private readonly namespace: RecordNamespace,
  ) {}

  entities(principal: Principal, range: Range): RegistryPage {
    authorize(principal, 'read');
    return page([...this.model.entities.values()], range, (entity) => this.entityAnswer(entity));
  }

  entity(principal: Principal, name: string): object {
    authorize(principal, 'read');
    return this.entityAnswer(this.names.entity(name));
  }

  aspectsOf(principal: Principal, name: string, range: Range): RegistryPage {
    authorize(principal, 'read');
    return page([...this.names.entity(name).aspects.values()], range, (aspect) => this.aspectAnswer(aspect));
  }

  aspects(principal: Principal, range: Range): RegistryPage {
    authorize(principal, 'read');
    return page([...this.model.aspects.values()], range, (aspect) => this.aspectAnswer(aspect));
  }

  aspect(principal: Principal, name: string): object {
    authorize(principal, 'read');
    const lower = name.toLowerCase();
    const aspect = [...this.model.aspects.values()].find((spec) => spec.name.toLowerCase() === lower);
    if (aspect === undefined) throw refuse('ASPECT_UNKNOWN', `unknown aspect "${name}"`, '/aspect');
    return {
      ...this.aspectAnswer(aspect),
      searchableFieldSpecs: aspect.search.map((row) => ({
        path: pathText(row.path),
        searchableAnnotation: {
          fieldName: row.field,
          fieldType: row.kind,
          queryByDefault: row.queryByDefault,
          addToFilters: row.facet,
        },
      })),
      schema: this.model.standaloneSchema(aspect),
    };
  }

  private entityAnswer({ name, description, category, key, aspects }: EntitySpec): object {
    return {
      name,
      description,
      category,
      keyAspectName: key.name,
      aspectSpecs: [...aspects.values()].map((aspect) => this.aspectAnswer(aspect)),
    };
  }

  private aspectAnswer(aspect: AspectSpec): object {
    const { name, description, kind, record, schemaVersion, relationships } = aspect;
    return {
      aspectAnnotation: { name, schemaVersion, ...(kind === 'timeseries' && { type: kind }) },
      name,
      description,
      timeseries: kind === 'timeseries',
      recordName: this.namespace.of(record),
      relationshipFieldSpecs: relationships.map((row) => ({
        path: pathText(row.path),
        relationshipAnnotation: {
          name: row.name,
          validDestinationTypes: row.targets,
          isLineage: row.lineage,
          ...(row.lineage && { isUpstream: row.upstream }),
        },
      })),
    };
  }
}

// As in `/owners/*/owner`, with `*` for each element.
const pathText = (path: readonly string[]): string => `/${path.join('/')}`;

function page<T>(all: readonly T[], { start, count }: Range, show: (item: T) => object): RegistryPage {
  const elements = all.slice(start, start + count).map(show);
  return { start, count: elements.length, total: all.length, elements };
}
