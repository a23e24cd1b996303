import type { SimulatedAnswer } from '../kit/faults.ts'
import { faultAnswers as answersOfAll, businessUsage, graphFault } from '../meta/simulator.ts'

/** What the host that takes videos says. */
export const uploadError = (type: string, message: string): SimulatedAnswer => ({
  status: 400,
  body: { debug_info: { retriable: type !== 'ProcessingFailedError', type, message } },
})

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
export const faultAnswers = {
  ...answersOfAll,
  'rate-limited': graphFault(80001, null, 'There have been too many calls to this Page account.', {
    headers: businessUsage('pages', 100, 1),
  }),
  'media-rejected': graphFault(100, 1366046, 'Your photos could not be uploaded.', {
    user: 'Photos should be smaller than 4 MB and saved as JPG, PNG, GIF, TIFF, HEIF or WebP files.',
  }),
  'caption-too-long': graphFault(100, null, '(#100) Param message is too long.'),
  'account-restricted': graphFault(368, 4854002, 'The account has to be confirmed before it can publish.'),
  'account-suspended': graphFault(368, null, 'The Page is suspended.', { user: 'Your Page has been suspended.' }),
}
