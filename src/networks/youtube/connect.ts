import { appInForm, codeGrant, optionsFrom } from '../kit/oauth.ts'
import type { Connect, NetworkIdentity } from '../network.ts'
import { manifest } from './manifest.ts'
import { errors } from './outcomes.ts'
import { ask, parseCategories, parseChannels } from './wire.ts'

const UPLOAD = 'https://www.googleapis.com/auth/youtube.upload'
const READ = 'https://www.googleapis.com/auth/youtube.readonly'
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
    scopes: () => SCOPES,
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
      const query = { part: 'id,snippet', mine: 'true' }
      const asked = await ask({ ...context, credentials }, { path: 'channels', query, parse: parseChannels })
      if (asked.kind === 'failed') return failed(`YouTube could not be asked for the channel. ${asked.message}`)
      if (asked.kind === 'refused') return failed(errors.lookUp(asked.answer, context.now()).meaning.message)
      const [first, ...others] = asked.value.map(
        (channel): NetworkIdentity => ({
          externalId: channel.id,
          name: channel.title,
          username: channel.handle,
          profileUrl: `${context.endpoint('web')}/channel/${channel.id}`,
          avatarUrl: channel.avatarUrl,
          credentials,
          expiresAt,
        }),
      )
      return first ? { kind: 'accounts', accounts: [first, ...others] } : failed(NO_CHANNEL)
    },
  }),
  // Google ends a grant that was not used for six months.
  renewEveryMs: 60 * 24 * 3_600_000,
  /** The categories of the channel's country. */
  async options(context, { externalId, credentials }) {
    const caller = { ...context, credentials }
    const query = { part: 'id,snippet', id: externalId }
    const channels = await ask(caller, { path: 'channels', query, parse: parseChannels })
    const regionCode = (channels.kind === 'ok' && channels.value[0]?.country) || ANY_REGION
    const asked =
      channels.kind === 'ok'
        ? await ask(caller, { path: 'videoCategories', query: { part: 'snippet', regionCode }, parse: parseCategories })
        : channels
    return optionsFrom({ title: 'YouTube', errors, now: context.now() }, asked, (category) => ({ category }))
  },
}
