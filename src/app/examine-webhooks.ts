import type { WebhookFaults } from '#persistence'
import type { Finding } from './finding.ts'

/** How it goes with webhooks; nothing where there are none. */
export function examineWebhooks(faults: WebhookFaults | null): Finding[] {
  if (!faults) return []
  const { open, failing, waiting, days, late } = faults
  const wrong = [
    ...(late > 0
      ? [`${late} events are not sent to webhooks for longer than ten minutes. See whether a worker runs and keeps up.`]
      : []),
    ...(failing > 0
      ? [
          `${failing} of ${open} webhooks fail, the first one for ${days === 1 ? '1 day' : `${days} days`}: ${waiting} events wait for them. Their owners see why under Settings. One with a private address has to be in ALMANAC_TRUSTED_WEBHOOK_HOSTS.`,
        ]
      : []),
  ]
  if (wrong.length > 0) return [{ check: 'webhooks', status: 'warning', message: wrong.join(' ') }]
  return [
    { check: 'webhooks', status: 'ok', message: `Events go to ${open === 1 ? 'one webhook' : `${open} webhooks`}.` },
  ]
}
