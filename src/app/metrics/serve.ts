import type { RequestListener } from 'node:http'
import { type Config, isLoopback } from '#config'
import { localUrl } from '../addresses.ts'
import type { Begun } from '../begin.ts'
import type { Closing } from '../closing.ts'
import { listenOrWait } from '../health-server.ts'
import type { ServedBy } from './catalog.ts'
import { createCollector, type Sources } from './collect.ts'
import { createInstruments, type Instruments } from './instruments.ts'

/** Whether a header Host has a name that leads here on this machine and nowhere else. */
const isLoopbackHost = (host = '') => isLoopback(URL.parse(`http://${host}`)?.hostname ?? '')

export interface Metrics extends Pick<Instruments, 'observe' | 'importEnded' | 'answered'> {
  /**
   * Serves `/metrics` on a port of its own: what it reports is for those who watch the installation, not for everyone who
   * reaches the API or a health check.
   *
   * @returns the address; null while another program has the port
   * @throws StartError when the place can never be listened on
   */
  serve(): Promise<string | null>
}

/** Opens the metrics of a process; what it does counts from here on. */
export function openMetrics(
  begun: Begun,
  place: NonNullable<Config['metrics']> & { publicUrl: string },
  { served, ...sources }: Omit<Sources, 'log'> & { served: readonly ServedBy[] },
  closing: Closing,
): Metrics {
  const instruments = createInstruments(served)
  const { registry, observe, importEnded, answered } = instruments
  const collect = createCollector({ ...sources, log: begun.log }, instruments, closing)

  const handler: RequestListener = (request, response) => {
    // Any name can be pointed at this machine by the page that a browser on it has open (DNS rebinding).
    if (isLoopback(place.host) && !isLoopbackHost(request.headers.host)) {
      const words = `The metrics are read at ${localUrl(place.host, request.socket.localPort ?? place.port)}/metrics, by that name.\n`
      response.writeHead(403, { 'content-type': 'text/plain' }).end(words)
      return
    }
    if (request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is /metrics here.\n')
      return
    }
    const answer = (status: number, type: string, text: string) =>
      void response.writeHead(status, { 'content-type': type }).end(text)
    collect()
      .then(() => registry.metrics())
      .then(
        (text) => answer(200, registry.contentType, text),
        (error) => {
          begun.log.error({ error }, 'The metrics could not be read')
          answer(503, 'text/plain', 'The metrics cannot be read now.\n')
        },
      )
  }
  return {
    observe,
    importEnded,
    answered,
    async serve() {
      const port = await listenOrWait(
        handler,
        { ...place, setting: 'ALMANAC_METRICS_PORT', what: 'its metrics' },
        begun,
        closing,
      )
      return port === null ? null : `${localUrl(place.host, port)}/metrics`
    },
  }
}
