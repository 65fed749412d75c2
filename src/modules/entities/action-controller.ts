import { HttpCode, Injectable, Post, Req, Res } from '@nestjs/common';
import type { DirectReply, DirectRequest } from '../../catalog/extension/direct-route.js';
import { Marked, type AuthenticatedRequest } from '../auth/index.js';
import { ActionEndpoint } from './action.endpoint.js';
import { WRITING_ACTIONS } from './action-table.js';

/** `POST /<resource>?action=…`. */
@Injectable()
export abstract class ActionController {
  constructor(private readonly endpoint: ActionEndpoint) {}

  @Post()
  @Marked({ writes: WRITING_ACTIONS, anyContentType: true, direct: ActionEndpoint })
  @HttpCode(200)
  act(
    @Req() request: DirectRequest & AuthenticatedRequest,
    @Res({ passthrough: true }) reply: DirectReply,
  ): Promise<unknown> {
    return this.endpoint.serve(request, reply);
  }
}
