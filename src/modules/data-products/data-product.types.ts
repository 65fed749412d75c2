import { Field, Int, ObjectType } from '@nestjs/graphql';
import {
  Asset,
  DescribedWithMaker,
  describedWithMaker,
  EntityObject,
  showsPartOf,
} from '../graphql/index.js';

@ObjectType('DataProductProperties', { description: 'Name and description of a data product.' })
export class DataProductProperties extends DescribedWithMaker {
  @Field(() => Int, { nullable: true, description: 'How many assets it has.' }) numAssets!: number;
}

@EntityObject('dataProduct', 'A set of entities that is offered as one product.')
export class DataProduct extends Asset {
  @Field(() => DataProductProperties, { nullable: true, description: 'Name and description.' })
  properties(): DataProductProperties | null {
    const value = this.value('dataProductProperties');
    const shown = describedWithMaker(value, this.urnText, this.context);
    return shown && { ...shown, numAssets: value?.assets?.length ?? 0 };
  }
}

showsPartOf('DataProductProperties', 'dataproduct.DataProductProperties');
