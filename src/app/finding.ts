/** One thing that was looked at. The message says what was found and, when it is wrong, what to do. */
export interface Finding {
  check:
    | 'node'
    | 'settings'
    | 'start'
    | 'data directory'
    | 'disk'
    | 'media'
    | 'decoders'
    | 'proxy'
    | 'database'
    | 'clock'
    | 'secret key'
    | 'public url'
    | 'sandbox'
    | 'networks'
    | 'alerts'
    | 'webhooks'
  status: 'ok' | 'warning' | 'problem'
  message: string
}
