import { DAY_MS } from '#contract/durations'
import { endingVersions } from './ending-versions.ts'
import { type Installation, loadInstallation } from './installation.ts'
import { createLog, type Log } from './log.ts'

/** How a process is asked to end. */
export interface Stop {
  /** Aborts at the first wish: end what is under way. */
  graceful: AbortSignal
  /** Aborts at the second: end now. */
  now: AbortSignal
}

/** What a process knows before it opens anything. */
export interface Begun extends Installation {
  log: Log
}

/** Where, what is set, and a log that has named the settings that mean nothing. */
export async function beginProcess(): Promise<Begun> {
  const installation = await loadInstallation()
  const log = createLog(installation.config.logLevel)
  endAtUncaught(log)
  for (const message of installation.config.warnings) log.warn({}, message)
  const warn = () => warnOfEndingVersions(installation, log)
  warn()
  setInterval(warn, DAY_MS).unref()
  return { ...installation, log }
}

/** What nothing caught ends the process as it does without us, but Node would print every field of the error. */
function endAtUncaught(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ error }, 'An error was caught nowhere. Please report it with this line')
    process.exit(70)
  })
}

/** A process may run for longer than a version of a network's API. */
function warnOfEndingVersions({ config, manifests }: Installation, log: Log): void {
  for (const manifest of manifests) {
    for (const { message, ended } of endingVersions(manifest, config.networks[manifest.name] ?? {}, new Date())) {
      log[ended ? 'error' : 'warn']({}, message)
    }
  }
}

/** Resolves when a process is asked to end. */
export function asked(stop: Stop): Promise<void> {
  if (stop.graceful.aborted) return Promise.resolve()
  return new Promise((resolve) => stop.graceful.addEventListener('abort', () => resolve(), { once: true }))
}
