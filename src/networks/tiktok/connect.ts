import { DAY_MS } from '#contract/durations'
import { accountFrom, codeGrant, optionsFrom, readFrom } from '../kit/oauth.ts'
import { string } from '../kit/read-json.ts'
import type { CapabilityRefusal, Connect } from '../network.ts'
import { limits, manifest, PRIVACY_LEVELS, PRIVACY_TITLES } from './manifest.ts'
import { errors } from './outcomes.ts'
import { type Creator, codeOf, creatorInfo, userInfo } from './wire.ts'

/** Scopes by which posts go out: directly, and into the inbox of the app. One of them is enough. */
export const PUBLISHING = 'video.publish'
export const UPLOADING = 'video.upload'

/** Whether a sign-in may ask what the account may post; without that it can only put drafts into the inbox. */
const mayPublish = (scope: string | undefined) => (scope ?? PUBLISHING).split(',').includes(PUBLISHING)

/** What the network answers for an account that cannot post now, with HTTP 200 too. */
const REFUSALS: Readonly<Record<string, CapabilityRefusal>> = {
  spam_risk_too_many_posts: 'posts',
  spam_risk_user_banned_from_posting: 'banned',
  reached_active_user_cap: 'app',
}

const NOTHING: Creator = {
  username: null,
  nickname: null,
  privacyLevels: [],
  commentDisabled: false,
  duetDisabled: false,
  stitchDisabled: false,
  maxVideoSeconds: null,
}

const capabilitiesOf = (creator: Creator, refusal: CapabilityRefusal | null) => ({
  name: creator.nickname,
  username: creator.username,
  offered: { privacy: PRIVACY_LEVELS.filter((level) => creator.privacyLevels.includes(level)) },
  switchedOff: [
    ...(creator.commentDisabled ? ['allowComments'] : []),
    ...(creator.duetDisabled ? ['allowDuet'] : []),
    ...(creator.stitchDisabled ? ['allowStitch'] : []),
  ],
  maxVideoSeconds: creator.maxVideoSeconds,
  refusal,
})

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
  /** The page wants it asked whenever the form of a post is drawn. */
  capabilities: {
    perMinute: limits.creatorInfoPerMinute.value,
    async ask(context, { credentials }) {
      const asked = await creatorInfo({ ...context, credentials })
      const refusal = asked.kind === 'refused' ? REFUSALS[codeOf(asked.answer) ?? ''] : undefined
      if (refusal) return { kind: 'capabilities', capabilities: capabilitiesOf(NOTHING, refusal) }
      const read = readFrom({ title: 'TikTok', errors, now: context.now() }, asked)
      return read.kind === 'value' ? { kind: 'capabilities', capabilities: capabilitiesOf(read.value, null) } : read
    },
  },
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
