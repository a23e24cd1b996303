import { DAY_MS } from '#contract/durations'
import { appInForm, codeGrant, optionsFrom } from '../kit/oauth.ts'
import type { Connect } from '../network.ts'
import { askCategories, askChannels } from './api.ts'
import { manifest } from './manifest.ts'
import { errors, meaningOf } from './outcomes.ts'

export const UPLOAD = 'https://www.googleapis.com/auth/youtube.upload'
export const READ = 'https://www.googleapis.com/auth/youtube.readonly'
/** For first comments, where the operator says so. */
export const COMMENT = 'https://www.googleapis.com/auth/youtube.force-ssl'
export const SCOPES: readonly string[] = [UPLOAD, READ]

const NO_CHANNEL =
  'This Google account has no YouTube channel. Open youtube.com with it, create a channel, then connect again. For the channel of a brand, choose the brand on the page of Google that asks for the account.'
/** Where the channel does not say its country. Categories hardly differ from one to the other. */
const ANY_REGION = 'US'

const failed = (message: string) => ({ kind: 'failed', message }) as const

/** Google's sign-in for web servers: https://developers.google.com/identity/protocols/oauth2/web-server (read 2026-11-21). */
export const connect: Connect = {
  ...codeGrant({
    manifest,
    title: 'Google',
    requires: ['CLIENT_ID', 'CLIENT_SECRET'],
    pkce: true,
    page: ({ endpoint }) => `${endpoint('accounts')}/o/oauth2/v2/auth`,
    tokens: ({ endpoint }) => `${endpoint('token')}/token`,
    app: appInForm,
    scopes: ({ setting }) => (setting('COMMENTS') === 'on' ? [...SCOPES, COMMENT] : SCOPES),
    optional: [COMMENT],
    // A refresh token comes with these two alone.
    asks: { access_type: 'offline', prompt: 'consent' },
    // People can untick what an app asks for.
    missing(scopes) {
      const what = scopes.map((each) => (each === UPLOAD ? 'uploading videos' : 'seeing the channel')).join(' and ')
      return `Google was not allowed ${what}. Connect again and tick everything that Google asks for.`
    },
    withoutRefresh:
      'Google gave no lasting access. Open myaccount.google.com/connections, remove this app there, then connect again.',
    /** One sign-in reaches one channel: that of the account or brand which was chosen on Google's page. */
    async accounts(context, { accessToken, refreshToken, expiresAt }) {
      const credentials = { accessToken, refreshToken: refreshToken ?? '' }
      const asked = await askChannels({ ...context, credentials }, { part: 'id,snippet', mine: 'true' })
      if (asked.kind === 'failed') return failed(`YouTube could not be asked for the channel. ${asked.message}`)
      if (asked.kind === 'refused') return failed(meaningOf(asked.answer, context.now()).message)
      const [channel] = asked.value.entries
      if (!channel) return failed(NO_CHANNEL)
      const { id, title, handle: username, avatarUrl } = channel
      const profileUrl = `${context.endpoint('web')}/channel/${id}`
      const own = { externalId: id, name: title ?? id, username, profileUrl, avatarUrl, credentials, expiresAt }
      return { kind: 'accounts', accounts: [own] }
    },
  }),
  // Google ends a grant that was not used for six months.
  renewEveryMs: 60 * DAY_MS,
  /** The categories of the channel's country. */
  async options(context, { externalId, credentials }) {
    const caller = { ...context, credentials }
    const channels = await askChannels(caller, { part: 'id,snippet', id: externalId })
    const regionCode = (channels.kind === 'ok' && channels.value.entries[0]?.country) || ANY_REGION
    const asked = channels.kind === 'ok' ? await askCategories(caller, { part: 'snippet', regionCode }) : channels
    return optionsFrom({ title: 'YouTube', errors, now: context.now() }, asked, ({ entries }) => ({
      category: entries.map(({ value, title }) => ({ value, title: title ?? value })),
    }))
  },
}
