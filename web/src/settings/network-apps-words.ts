import { t } from '@lingui/core/macro'
import type { NetworkApp, NetworkAppResult } from '#contract'
import { wordsOfCode } from '../language/server-words.ts'

/** What people call an app. */
export const titleOf = ({ idVariable, title }: NetworkApp) => wordsOfCode(`setting:${idVariable}:app`, title)

/** What its id and its secret are, in the words of the network. */
export const aboutId = ({ idVariable, idDescription }: NetworkApp) =>
  wordsOfCode(`setting:${idVariable}`, idDescription)
export const aboutSecret = ({ secretVariable, secretDescription }: NetworkApp) =>
  wordsOfCode(`setting:${secretVariable}`, secretDescription)

/** What the network said to id and secret, and what to do. */
export function resultWords(result: NetworkAppResult, network: string): string {
  switch (result) {
    case 'WORKS':
      return t`${network} knows this app. Id and secret are right.`
    case 'WRONG_ID':
      return t`${network} does not know this id. Copy it from the app once more.`
    case 'WRONG_SECRET':
      return t`The secret does not belong to this id. Copy it from the app once more.`
    case 'WRONG':
      return t`${network} does not accept this id with this secret, and does not say which is wrong. Copy both from the app once more.`
    case 'UNCLEAR':
      return t`${network} answered in a way that says neither yes nor no. Connect an account to find out.`
    case 'UNREACHABLE':
      return t`${network} did not answer in time, or has a fault. Check again in a few minutes.`
  }
}
