import { Controller } from '@nestjs/common';
import { V2 } from '../answers/entity-form.js';
import { AspectBaseController } from '../base-controllers/aspect.base-controller.js';

/** `/openapi/v2/entity/{entity}/{urn}/{aspect}`: one aspect; bodies of writes are the aspect itself. */
@Controller('openapi/v2/entity')
export class AspectsV2Controller extends AspectBaseController {
  protected override readonly form = V2;
}
