import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Config } from '#config'
import type { Health } from '#http'
import { localUrl } from './addresses.ts'
import type { Closing } from './base.ts'
import type { Begun } from './begin.ts'
import { closeServer, listen } from './health-server.ts'

/**
 * Serves `/metrics` on a port of its own: what it reports is for those who watch the installation, not for everyone who
 * reaches the API or a health check.
 *
 * @returns the address
 * @throws StartError
 */
export async function serveMetrics(
  begun: Begun,
  metrics: NonNullable<Config['metrics']> & { publicUrl: string },
  health: Health,
  closing: Closing,
): Promise<string> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'almanac_' })
  new Gauge({
    name: 'almanac_healthy',
    help: 'Whether the process does its work: 1 or 0.',
    registers: [registry],
    async collect() {
      this.set((await health.live()).problems.length === 0 ? 1 : 0)
    },
  })
  const server = await listen(
    (request, response) => {
      if (request.url?.split('?')[0] !== '/metrics') {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('There is /metrics here.\n')
        return
      }
      const answer = (status: number, type: string, text: string) =>
        void response.writeHead(status, { 'content-type': type }).end(text)
      registry.metrics().then(
        (text) => answer(200, registry.contentType, text),
        () => answer(503, 'text/plain', 'The metrics cannot be read now.\n'),
      )
    },
    { ...metrics, setting: 'ALMANAC_METRICS_PORT' },
    begun,
  )
  closing.defer(() => closeServer(server, { graceMs: 0 }))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : metrics.port
  return `${localUrl(metrics.host, port)}/metrics`
}
