import { setTimeout as pause } from 'node:timers/promises';
import type { ProposalLine } from './proposal-line.js';

/** A batch that the service did not take. */
export class SendError extends Error {
  override readonly name = 'SendError';
}

const ATTEMPTS = 5;
const RETRIED = new Set([429, 502, 503, 504]);

interface ErrorBody {
  message?: string;
  errors?: Array<{ pointer?: string; message?: string }>;
}

/** Sends batches to the aspect API. Repeating a batch changes nothing, so what may pass is tried again. */
export class ProposalSender {
  private readonly url: string;

  constructor(
    server: string,
    private readonly token: string | undefined,
    /** Milliseconds before the second attempt; doubled with each further one. */
    private readonly pauseMs = 500,
  ) {
    this.url = server.replace(/\/+$/, '');
  }

  /**
   * @param batch proposals, or snapshots
   * @throws SendError naming the line where the service names a proposal
   */
  async send(batch: readonly ProposalLine[]): Promise<void> {
    const given = batch.map(({ proposal }) => proposal);
    const snapshots = batch[0]?.snapshot === true;
    const action = snapshots ? '/entities?action=batchIngest' : '/aspects?action=ingestProposalBatch';
    const body = JSON.stringify(
      snapshots
        ? {
            entities: given.map(({ entity }) => entity),
            systemMetadata: given.map(({ systemMetadata }) => systemMetadata),
          }
        : { proposals: given },
    );
    for (let attempt = 1; ; attempt++) {
      const response = await this.post(action, body).catch((error: unknown) => error as Error);
      if (response instanceof Response && response.ok) {
        await response.body?.cancel();
        return;
      }
      const last = attempt === ATTEMPTS || (response instanceof Response && !RETRIED.has(response.status));
      if (last) throw await this.failure(response, batch);
      const asked = response instanceof Response ? Number(response.headers.get('retry-after')) * 1000 : 0;
      await pause(Math.min(Math.max(asked || 0, this.pauseMs * 2 ** (attempt - 1)), 30_000));
    }
  }

  private post(action: string, body: string): Promise<Response> {
    return fetch(this.url + action, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-restli-protocol-version': '2.0.0',
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
      },
    });
  }

  private async failure(response: Response | Error, batch: readonly ProposalLine[]): Promise<SendError> {
    const lines = `lines ${batch[0]!.line} to ${batch.at(-1)!.line}`;
    if (response instanceof Error) {
      const cause = response.cause instanceof Error ? response.cause : response;
      const reason = cause.message || (cause as { code?: string }).code || 'no connection';
      return new SendError(
        `${lines} were not sent: ${new URL(this.url).origin} cannot be reached (${reason})`,
      );
    }
    if (response.status === 401) {
      const sent = this.token === undefined ? 'there is no token' : 'the token is not valid';
      return new SendError(`${sent}: give one with --token or CATALOG_TOKEN`);
    }
    const body = (await response.json().catch(() => ({}))) as ErrorBody;
    const [error] = body.errors ?? [];
    const [, index, rest = ''] = /^\/(?:proposals|entities)\/(\d+)(.*)$/.exec(error?.pointer ?? '') ?? [];
    const named = index === undefined ? undefined : batch[Number(index)];
    const place = named === undefined ? lines : `line ${named.line}${rest === '' ? '' : ` (${rest})`}`;
    const message = error?.message ?? body.message ?? 'no reason given';
    return new SendError(`${place}: the service answered ${response.status}: ${message}`);
  }
}
