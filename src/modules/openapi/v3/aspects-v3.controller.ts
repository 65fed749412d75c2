import { Controller } from '@nestjs/common';
import { V3 } from '../answers/entity-form.js';
import { AspectBaseController } from '../base-controllers/aspect.base-controller.js';

/** `/openapi/v3/entity/{entity}/{urn}/{aspect}`: one aspect; wrapped as `{value}`. */
@Controller('openapi/v3/entity')
export class AspectsV3Controller extends AspectBaseController {
  protected override readonly form = V3;
}
