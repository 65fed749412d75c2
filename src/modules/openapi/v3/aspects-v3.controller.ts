import { Controller } from '@nestjs/common';
import { V3 } from '../answers/entity-form.js';
import { AspectDoors } from '../doors/aspect-doors.js';

/** `/openapi/v3/entity/{entity}/{urn}/{aspect}`: one aspect; wrapped as `{value}`. */
@Controller('openapi/v3/entity')
export class AspectsV3Controller extends AspectDoors {
  protected override readonly form = V3;
}
