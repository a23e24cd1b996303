import { type Delivery, type DeliveryPolicy, numberOf } from './index.ts'

interface CalledPart {
  live: boolean
  calls: number
}

/**
 * Holds the visible call of a part against its policy: what has gone before, the id that it needs, and the time.
 *
 * @param network.parts what the network has of each
 * @throws Error for a call that is behind the end of attempts or of its part, or out of order
 */
export function refuseWrongCall(
  policy: DeliveryPolicy,
  delivery: Delivery,
  { time, parts }: { time: number; parts: readonly CalledPart[] },
): void {
  const number = numberOf(delivery)
  const part = policy.parts[number]
  const [post, before] = [delivery.ended[0], delivery.ended.at(-1)]
  const end = (from: { endedAt: Date } | undefined, ms: number | null = null) =>
    from && ms !== null ? from.endedAt.getTime() + ms : Number.POSITIVE_INFINITY
  const last = Math.min(delivery.givesUpAt.getTime(), end(before, part?.startsWithinMs), end(post, part?.endsWithinMs))
  // The clock goes on by a millisecond at each fence.
  if (time > last + 1) throw new Error('A call was made after the end of attempts.')
  if (parts.some(({ calls }, nth) => nth > number && calls > 0)) throw new Error('A part was sent behind a later one.')
  for (const [nth, { outcome }] of delivery.ended.entries()) {
    if (!policy.parts[nth]?.stopsRest || (outcome === 'live' && parts[nth]?.live)) continue
    throw new Error('A part was sent behind one that is not live.')
  }
  const needed = { post, previous: before, none: undefined }[part?.needs ?? 'none']
  if (needed?.providerId === null) throw new Error('A part was sent without the id that it needs.')
}
