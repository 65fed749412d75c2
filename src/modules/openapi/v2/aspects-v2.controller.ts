import { Controller } from '@nestjs/common';
import { V2 } from '../answers/entity-form.js';
import { AspectDoors } from '../doors/aspect-doors.js';

/** `/openapi/v2/entity/{entity}/{urn}/{aspect}`: one aspect; bodies of writes are the aspect itself. */
@Controller('openapi/v2/entity')
export class AspectsV2Controller extends AspectDoors {
  protected override readonly form = V2;
}
