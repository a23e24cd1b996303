import { DAY_MS } from '#contract/durations'
import { accountFrom, appInForm, codeGrant } from '../../../src/networks/kit/oauth.ts'
import type { Connect } from '../../../src/networks/network.ts'
import { call, parseMe } from './api.ts'
import { manifest, SCOPES } from './manifest.ts'
import { errors } from './outcomes.ts'

/** https://postcards.example/docs/sign-in (read 2026-11-23). A refresh token lasts 90 days and is good for one use. */
export const connect: Connect = {
  ...codeGrant({
    manifest,
    requires: ['CLIENT_ID', 'CLIENT_SECRET'],
    pkce: true,
    page: ({ endpoint }) => `${endpoint('www')}/sign-in`,
    tokens: ({ endpoint }) => `${endpoint('api')}/v1/oauth/token`,
    app: appInForm,
    scopes: () => SCOPES,
    withoutRefresh: 'Postcards gave no refresh token, so the connection would end in two hours. Sign in again.',
    async accounts(context, { accessToken, refreshToken, expiresAt }) {
      const credentials = { accessToken, refreshToken: refreshToken ?? '' }
      const asked = await call(
        { ...context, credentials },
        { method: 'GET', path: 'v1/me', timeoutMs: 15_000, parse: parseMe },
      )
      return accountFrom({ title: 'Postcards', errors, now: context.now() }, asked, ({ id, name, handle }) => ({
        externalId: id,
        name,
        username: handle,
        profileUrl: null,
        avatarUrl: null,
        credentials,
        expiresAt,
      }))
    },
  }),
  renewEveryMs: 30 * DAY_MS,
}
