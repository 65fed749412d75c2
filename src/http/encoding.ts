/** Codings that answers are kept in, the preferred one first. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * The coding for an answer, by RFC 9110, 12.5.3.
 * @param header `Accept-Encoding` of the request
 * @param offered codings that there are, the preferred one first
 */
export async function chooseEncoding(
  header: string | undefined,
  offered: readonly Encoding[],
): Promise<Encoding | 'identity'> {
  const { default: negotiator } = await import('@fastify/accept-negotiator');
  const known = [...offered, 'identity'] as const;
  return known.find((one) => one === negotiator.negotiate(header ?? '', [...known])) ?? 'identity';
}
