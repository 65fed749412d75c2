import { Field, ObjectType, registerEnumType } from '@nestjs/graphql';
import { enumOf } from '../graphql/index.js';

export const HealthStatus = enumOf(['PASS', 'WARN', 'FAIL']);
export type HealthStatus = keyof typeof HealthStatus;
registerEnumType(HealthStatus, {
  name: 'HealthStatus',
  description: 'How an asset is.',
  valuesMap: {
    PASS: { description: 'Nothing is wrong.' },
    WARN: { description: 'Something needs a look.' },
    FAIL: { description: 'Something is wrong.' },
  },
});

export const HealthStatusType = enumOf(['ASSERTIONS', 'INCIDENTS', 'TESTS']);
export type HealthStatusType = keyof typeof HealthStatusType;
registerEnumType(HealthStatusType, {
  name: 'HealthStatusType',
  description: 'What the health of an asset is judged by.',
  valuesMap: {
    ASSERTIONS: { description: 'By its assertions.' },
    INCIDENTS: { description: 'By its incidents.' },
    TESTS: { description: 'By its metadata tests.' },
  },
});

@ObjectType('Health', { description: 'A judgement of how an asset is.' })
export class Health {
  @Field(() => HealthStatusType, { description: 'What it is judged by.' }) type!: HealthStatusType;
  @Field(() => HealthStatus, { description: 'How the asset is.' }) status!: HealthStatus;
  @Field(() => String, { nullable: true, description: 'The judgement in words.' }) message!: string | null;
  @Field(() => [String], { nullable: true, description: 'URNs of what led to it.' }) causes!: string[] | null;
}
