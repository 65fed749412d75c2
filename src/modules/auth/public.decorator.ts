import { SetMetadata } from '@nestjs/common';

export const PUBLIC = Symbol('Public');

/** Opens a route, or all routes of a controller, to callers without a token. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);
