import pino from 'pino'

export type Log = pino.Logger

/**
 * The log of a process, on standard error: words for a person at a terminal, else a line of JSON per event. Secrets do
 * not get here: nothing that holds one is handed to the log.
 */
export function createLog(level: string): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: pino.stdSerializers.err },
  }
  if (!process.stderr.isTTY) return pino(options, pino.destination({ dest: 2, sync: true }))
  return pino(options, { write: (line: string) => void process.stderr.write(inWords(line)) })
}

function inWords(line: string): string {
  const { level, time, msg, error, ...fields } = JSON.parse(line) as Record<string, unknown>
  const shown = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  const { message, stack } = (error ?? {}) as { message?: string; stack?: string }
  const trouble = error ? `\n  ${Number(level) >= 50 ? (stack ?? message) : message}` : ''
  return `${String(time).slice(11, 19)} ${pino.levels.labels[Number(level)] ?? ''}: ${msg}${shown.join('')}${trouble}\n`
}
