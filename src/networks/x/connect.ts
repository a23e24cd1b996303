import { DAY_MS } from '#contract/durations'
import { accountFrom, appInHeader, codeGrant } from '../kit/oauth.ts'
import type { Connect } from '../network.ts'
import { manifest, SCOPES } from './manifest.ts'
import { errors } from './outcomes.ts'
import { readMe } from './wire.ts'

/** What the rules go by, as a publishing default. */
const factsOf = (premium: boolean) => ({ longPosts: premium })

/**
 * OAuth 2.0 with PKCE (https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code, read 2026-11-21).
 * Access tokens last two hours. A refresh token is good for one use, and the old one is dead at once.
 */
export const connect: Connect = {
  ...codeGrant({
    manifest,
    requires: ['CLIENT_ID'],
    pkce: true,
    page: ({ endpoint }) => `${endpoint('web')}/i/oauth2/authorize`,
    tokens: ({ endpoint }) => `${endpoint('api')}/2/oauth2/token`,
    // The app names itself in the form, and with its secret in a header too when it has one. The pages leave the form's
    // name out for such apps, but were seen to be refused without it.
    app(context) {
      const { id, headers } = appInHeader(context)
      return { id, form: id, ...(context.setting('CLIENT_SECRET') === '' ? {} : { headers }) }
    },
    scopes: () => SCOPES,
    // So it refuses a code of an app that it knows. In which order it looks at app and code is not documented.
    appAnswers: [{ words: /authorization code was invalid/i, says: 'works' }],
    advice:
      'A code is good for 30 seconds and once: start the sign-in again. If that does not help, check the client id and secret of the app.',
    missing: (scopes) =>
      `X has not allowed ${scopes.join(', ')}. Sign in again and allow everything that is asked for; the app must have read and write permissions.`,
    withoutRefresh: 'X gave no refresh token, so the connection would end in two hours. Sign in again.',
    // So the network says of a refresh token that was used or taken back; `invalid_request` alone may mean anything.
    dead: /value passed for the token was invalid/i,
    async accounts(context, { accessToken, refreshToken, expiresAt }) {
      const credentials = { accessToken, refreshToken: refreshToken ?? '' }
      const asked = await readMe({ ...context, credentials }, 'name,profile_image_url,subscription_type,username')
      return accountFrom({ title: 'X', errors, now: context.now() }, asked, ({ id, name, premium, ...me }) => ({
        externalId: id,
        name: name ?? me.username,
        ...me,
        ...(premium === null ? {} : { facts: factsOf(premium) }),
        profileUrl: `${context.endpoint('web')}/${me.username}`,
        credentials,
        expiresAt,
      }))
    },
  }),
  /** Whether the account has Premium. Read with every new token, at most once a day for money (README). */
  async facts(context, { credentials }) {
    const asked = await readMe({ ...context, credentials }, 'subscription_type', 5_000)
    return asked.kind === 'ok' && asked.value.premium !== null ? factsOf(asked.value.premium) : null
  },
  // The vendor names no end of a refresh token; others say six months. A month leaves room for both.
  renewEveryMs: 30 * DAY_MS,
}
