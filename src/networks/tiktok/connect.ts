import { DAY_MS } from '#contract/durations'
import { accountFrom, codeGrant, optionsFrom } from '../kit/oauth.ts'
import { string } from '../kit/read-json.ts'
import type { Connect } from '../network.ts'
import { manifest, PRIVACY_LEVELS, PRIVACY_TITLES } from './manifest.ts'
import { errors } from './outcomes.ts'
import { creatorInfo, userInfo } from './wire.ts'

/** Scopes by which posts go out: directly, and into the inbox of the app. One of them is enough. */
export const PUBLISHING = 'video.publish'
export const UPLOADING = 'video.upload'

/** Whether a sign-in may ask what the account may post; without that it can only put drafts into the inbox. */
const mayPublish = (scope: string | undefined) => (scope ?? PUBLISHING).split(',').includes(PUBLISHING)

/**
 * https://developers.tiktok.com/doc/oauth-user-access-token-management, read 2026-11-21. Refresh tokens are replaced at
 * every use and the old one dies. How long tokens last is taken from the answers: the pages name different times. PKCE is
 * known for desktop and mobile apps only, and in a form of its own.
 */
export const connect: Connect = {
  ...codeGrant({
    manifest,
    requires: ['CLIENT_KEY', 'CLIENT_SECRET'],
    page: ({ endpoint }) => `${endpoint('web')}/v2/auth/authorize/`,
    tokens: ({ endpoint }) => `${endpoint('api')}/v2/oauth/token/`,
    app({ setting }) {
      const id = { client_key: setting('CLIENT_KEY') }
      return { id, form: { ...id, client_secret: setting('CLIENT_SECRET') } }
    },
    scopes: ({ setting }) => setting('SCOPES').split(','),
    separator: ',',
    // Without it who has signed in before comes back at once, as the same account: no second one could be connected.
    asks: { disable_auto_auth: '1' },
    needs: [[PUBLISHING, UPLOADING]],
    withoutRefresh: 'TikTok gave no refresh token, so the connection would end within a day. Sign in again.',
    async accounts(context, { accessToken, refreshToken, expiresAt, scope, body }) {
      const externalId = string(body.open_id)
      if (externalId === undefined) {
        return { kind: 'failed', message: 'TikTok did not say whose sign-in it was. Start it again.' }
      }
      const scopes = (scope ?? context.setting('SCOPES')).split(/[\s,]+/).join(',')
      const credentials = { accessToken, refreshToken: refreshToken ?? '', scope: scopes }
      const direct = mayPublish(scopes)
      const asked = await (direct ? creatorInfo : userInfo)({ ...context, credentials })
      return accountFrom({ title: 'TikTok', errors, now: context.now() }, asked, ({ username, nickname }) => ({
        externalId,
        name: nickname ?? username ?? 'TikTok account',
        username,
        profileUrl: username === null ? null : `${context.endpoint('web')}/@${encodeURIComponent(username)}`,
        // The network's address of the picture works for two hours.
        avatarUrl: null,
        credentials,
        expiresAt,
        // Nothing else is possible with it.
        ...(direct ? {} : { facts: { mode: 'INBOX' } }),
      }))
    },
  }),
  // Far below what a refresh token lasts by any page (180 or 365 days).
  renewEveryMs: 30 * DAY_MS,
  /** The audiences that the network offers this account; they change when the account becomes private or public. */
  async options(context, { credentials }) {
    if (!mayPublish(credentials.scope)) return { kind: 'options', options: {} }
    const asked = await creatorInfo({ ...context, credentials })
    return optionsFrom({ title: 'TikTok', errors, now: context.now() }, asked, ({ privacyLevels }) => {
      const offered = PRIVACY_LEVELS.filter((level) => privacyLevels.includes(level))
      return { privacy: offered.map((value) => ({ value, title: PRIVACY_TITLES[value] })) }
    })
  },
}
