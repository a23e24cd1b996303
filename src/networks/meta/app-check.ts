import { type AppAnswer, appCheckOutcome } from '../kit/app-check.ts'
import { addressWith, requestToken } from '../kit/oauth.ts'
import type { AppCheck } from '../network.ts'

/** The Graph API says which of the two is wrong, by errors 1 and 101. */
export const GRAPH_APP_ANSWERS: readonly AppAnswer[] = [
  { words: /validating client secret/i, says: 'wrong-secret' },
  { words: /validating application|invalid (application|client)[ _]id/i, says: 'wrong-id' },
]

/**
 * Asks the Graph API for a token of the app itself, which it gives to one that it knows:
 * https://developers.facebook.com/docs/facebook-login/guides/access-tokens#apptokens (read 2026-11-21). It is not kept.
 *
 * @param title begins sentences
 * @param version whether the address has the version of the API in it
 */
export function checkGraphApp(title: string, { version = true, answers = GRAPH_APP_ANSWERS } = {}): AppCheck {
  return async (context) => {
    const { endpoint, setting } = context
    const url = addressWith(`${endpoint('graph')}${version ? `/${setting('API_VERSION')}` : ''}/oauth/access_token`, {
      client_id: setting('CLIENT_ID'),
      client_secret: setting('CLIENT_SECRET'),
      grant_type: 'client_credentials',
    })
    return appCheckOutcome(await requestToken(context, title, { method: 'GET', url }), answers)
  }
}
