import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import { faultAnswers as answersOfAll, businessUsage, graphFault as faultOfAll } from '../meta/simulator.ts'

/** Errors of the API itself have another type than those of the vendor's, and a code that is a text. */
export function graphFault(...[code, subcode, message, more]: Parameters<typeof faultOfAll>): SimulatedAnswer {
  const answer = faultOfAll(code, subcode, message, more)
  if (code !== 100 || subcode !== null) return answer
  const error = record(record(answer.body)?.error)
  return { ...answer, body: { error: { ...error, type: 'THApiException', code: String(code) } } }
}

export function refuse(...fault: Parameters<typeof graphFault>): never {
  throw new SimulatedRefusal(graphFault(...fault))
}

/** What the network says of a container that it does not know, or does not know yet. */
export const mediaNotFound = (id: string): never =>
  refuse(24, 4279009, 'The requested resource does not exist', {
    title: 'Media Not Found',
    user: `The media with id ${id} cannot be found.`,
  })

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
export const faultAnswers = {
  ...answersOfAll,
  'rate-limited': graphFault(17, null, 'User request limit reached', { headers: businessUsage('threads', 100, 1) }),
  'account-restricted': graphFault(10, 4279013, 'The user is restricted.', {
    title: 'Account restricted',
    user: 'The account is restricted from publishing.',
  }),
  'account-suspended': graphFault(10, 4279013, 'The user is disabled.', {
    title: 'Account suspended',
    user: 'The account is suspended.',
  }),
}
