import { faultAnswers as answersOfAll, businessUsage, graphFault } from '../meta/simulator.ts'

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
export const faultAnswers = {
  ...answersOfAll,
  'rate-limited': graphFault(
    80002,
    null,
    'There have been too many calls to this Instagram account. Wait a bit and try again.',
    { headers: businessUsage('instagram', 100, 1) },
  ),
  'account-restricted': graphFault(25, 2207050, 'The user is restricted.', {
    title: 'Account restricted',
    user: 'The Instagram account is restricted.',
  }),
  'account-suspended': graphFault(25, 2207050, 'The user is disabled.', {
    title: 'Account suspended',
    user: 'The Instagram account is suspended.',
  }),
}
