/** Codings that files and documents are kept in, the preferred one first. */
export const ENCODINGS = ['br', 'gzip'] as const;
/** Those, and what answers are compressed with as well. */
export type Encoding = (typeof ENCODINGS)[number] | 'zstd';

const load = () => import('@fastify/accept-negotiator');
let loading: ReturnType<typeof load> | undefined;

/**
 * The coding for an answer, by RFC 9110, 12.5.3.
 * @param header `Accept-Encoding` of the request
 * @param offered codings that there are, the preferred one first
 */
export async function chooseEncoding<E extends Encoding>(
  header: string | undefined,
  offered: readonly E[],
): Promise<E | 'identity'> {
  if (!header) return 'identity';
  const { default: negotiator } = await (loading ??= load());
  const known = [...offered, 'identity'] as const;
  return known.find((one) => one === negotiator.negotiate(header, [...known])) ?? 'identity';
}
