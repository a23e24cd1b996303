import type { IncomingMessage, ServerResponse } from 'node:http'
import { LOOPBACK } from './own-origins.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Answers requests below /sandbox by itself; bodies are its own business. */
export type SandboxHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export interface ServedSandbox {
  handle: SandboxHandler
  /** True when the operator has switched it on (`ALMANAC_SANDBOX=on`): everyone who reaches it gets answers. */
  open: boolean
}

/** Headers that proxies add, besides all that begin with `x-forwarded-`. */
const FORWARDING = ['forwarded', 'via', 'x-real-ip']

/** Puts the sandbox in front of the routes. */
export function withSandbox(
  sandbox: ServedSandbox | null,
  handler: Handler,
  deps: Parameters<typeof guardSandbox>[2],
): Handler {
  if (!sandbox) return handler
  const guarded = guardSandbox(sandbox, handler, deps)
  return (request, response) => {
    if (/^\/sandbox(?:[/?]|$)/.test(request.url ?? '')) guarded(request, response)
    else handler(request, response)
  }
}

/**
 * A sandbox that is on by default is for this machine. That it listens on loopback does not show that:
 * a proxy may be in front, and another site's page reaches it by a name that was pointed here (DNS rebinding). So what
 * did not plainly come from this machine goes to `otherwise`, and the first such request is logged.
 */
export function guardSandbox(
  { handle, open }: ServedSandbox,
  otherwise: Handler,
  { log }: { log: { warn(fields: object, message: string): void } },
): Handler {
  let quiet = false
  return (request, response) => {
    if (open || isOfThisMachine(request)) return void handle(request, response)
    if (!quiet) {
      quiet = true
      log.warn(
        {},
        'The sandbox was asked for through a proxy or by a name other than localhost, and was not shown. If a proxy is in front, set ALMANAC_PUBLIC_URL to its address. ALMANAC_SANDBOX=on shows the sandbox to everyone who reaches it',
      )
    }
    otherwise(request, response)
  }
}

function isOfThisMachine({ headers, httpVersion }: IncomingMessage): boolean {
  // nginx speaks HTTP/1.0 to what is behind it unless set otherwise, with the name that it knows it by.
  if (httpVersion === '1.0') return false
  if (Object.keys(headers).some((name) => name.startsWith('x-forwarded-') || FORWARDING.includes(name))) return false
  return LOOPBACK.test(URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '')
}
