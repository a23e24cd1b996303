import type { Config } from '#config'
import type { SecretBox } from '#domain'
import { userAgentOf } from '#media'
import { createReceiver, newsDefaults, type Receiver, testAlert } from '#news'
import { StartError } from './start-error.ts'
import { requireGoing, type StartGate } from './start-gate.ts'

/** The operator's receiver of alerts; null when none is set. */
export function openReceiver(
  config: Config,
  box: Pick<SecretBox, 'derive'>,
  gate: Pick<StartGate, 'through'>,
): Receiver | null {
  if (config.alertUrl === null) return null
  return createReceiver({
    url: config.alertUrl,
    trustedHosts: config.trustedFetchHosts,
    userAgent: userAgentOf(config.publicUrl),
    keys: box.derive('alerts'),
    through: gate.through,
  })
}

/** The outcome of a test alert. */
export interface TestedAlert {
  id: string
  host: string
  taken: boolean
  message: string
}

/**
 * Sends one alert of the kind TEST.
 *
 * @throws StartError without a receiver, and while the start is held
 */
export async function sendTestAlert(
  config: Config,
  box: Pick<SecretBox, 'derive'>,
  publicUrl: string,
  gate: StartGate,
): Promise<TestedAlert> {
  requireGoing(gate)
  const receiver = openReceiver(config, box, gate)
  if (!receiver) throw new StartError('ALMANAC_ALERT_URL is not set: there is nowhere to send a test alert to.')
  const { host } = receiver
  try {
    const alert = testAlert(publicUrl, new Date())
    const posted = await receiver.post(alert, AbortSignal.timeout(newsDefaults.receiverLimitMs))
    const message = posted.taken ? `${host} answered ${posted.status}.` : posted.message
    return { id: alert.id, host, taken: posted.taken, message }
  } finally {
    await receiver.close()
  }
}
