import { createServer } from 'node:net'
import type { Config } from '#config'
import { StartError } from './start-error.ts'

/** Where the parts of an installation are reached; none ends in a slash. */
export interface Addresses {
  /** By people and networks. */
  publicUrl: string
  /** The simulators, by connectors and people. */
  sandboxUrl: string
}

/** `http://127.0.0.1:4010` of what a process listens on; a wildcard is reached by loopback. */
export function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/**
 * @param options.port what the API listens on
 * @param options.together whether the sandbox is served there too, as in `up`
 */
export function addressesOf(config: Config, options: { port: number; together: boolean }): Addresses {
  const local = localUrl(config.host, options.port)
  const ownSandbox = options.together ? local : localUrl(config.host, config.sandbox.port)
  const sandbox = config.sandbox.url ?? ownSandbox
  return {
    publicUrl: config.publicUrl ?? local,
    sandboxUrl: sandbox.endsWith('/sandbox') ? sandbox : `${sandbox}/sandbox`,
  }
}

/**
 * Finds out early whether a port can be listened on, before anything expensive is done. Port 0 gives a free one.
 *
 * @throws StartError
 */
export async function claimablePort(host: string, port: number, setting: string): Promise<number> {
  const server = createServer()
  try {
    return await new Promise<number>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port, exclusive: true }, () => {
        const address = server.address()
        resolve(typeof address === 'object' && address ? address.port : port)
      })
    })
  } catch (error) {
    throw listenWords(error, host, port, setting)
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Another program listens on the port. */
class PortTakenError extends StartError {}

export const isTaken = (error: unknown): boolean => error instanceof PortTakenError

/** Why a port cannot be listened on, in words. */
export function listenWords(error: unknown, host: string, port: number, setting: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return new PortTakenError(
      `Port ${port} of ${host} is taken, perhaps by another Almanac. Stop that program, or set ${setting} to another port.`,
    )
  }
  if (code === 'EACCES') {
    return new StartError(`This user may not listen on port ${port}. Set ${setting} to a port from 1024 up.`)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const hostSetting = setting === 'ALMANAC_METRICS_PORT' ? 'ALMANAC_METRICS' : 'ALMANAC_HOST'
    return new StartError(`${host} is not an address of this machine. Set ${hostSetting} to one that is.`)
  }
  return error
}
