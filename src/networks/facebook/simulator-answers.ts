import { type SimulatedAnswer, SimulatedRefusal } from '../toolkit/faults.ts'
import { graphFault } from '../toolkit/graph-login-simulator.ts'

export { SimulatedRefusal }

export function refuse(...words: Parameters<typeof graphFault>): never {
  throw new SimulatedRefusal(graphFault(...words))
}

export const invalid = (what: string): never => refuse(100, null, `(#100) Invalid parameter: ${what}`)

export const ok = (body: unknown): SimulatedAnswer => ({
  status: 200,
  headers: { 'x-app-usage': JSON.stringify({ call_count: 2, total_time: 1, total_cputime: 1 }) },
  body,
})

export const unknownObject = (id: string): SimulatedAnswer =>
  graphFault(
    100,
    33,
    `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
  )

/** What the host that takes videos says. */
export const uploadError = (type: string, message: string): SimulatedAnswer => ({
  status: 400,
  body: { debug_info: { retriable: type !== 'ProcessingFailedError', type, message } },
})

/** Percent of what a business may ask in an hour, and minutes until it may again; JSON in a string. */
const usage = (minutes: number) =>
  JSON.stringify({
    '1000000000000001': [
      { type: 'pages', call_count: 100, total_cputime: 1, total_time: 1, estimated_time_to_regain_access: minutes },
    ],
  })

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
export const faultAnswers = {
  '500-before': graphFault(2, null, 'An unexpected error has occurred. Please retry your request later.', {
    status: 500,
    transient: true,
  }),
  'rate-limited': graphFault(80001, null, 'There have been too many calls to this Page account.', {
    headers: { 'x-business-use-case-usage': usage(1) },
  }),
  'token-expired': graphFault(190, 463, 'Error validating access token: Session has expired.'),
  'media-rejected': graphFault(100, 1366046, 'Your photos could not be uploaded.', {
    user: 'Photos should be smaller than 4 MB and saved as JPG, PNG, GIF, TIFF, HEIF or WebP files.',
  }),
  'caption-too-long': graphFault(100, null, '(#100) Param message is too long.'),
  'account-restricted': graphFault(368, 4854002, 'The account has to be confirmed before it can publish.'),
  'account-suspended': graphFault(368, null, 'The Page is suspended.', { user: 'Your Page has been suspended.' }),
}
