import { describeNetwork, simulatorBackend } from '../conformance/index.ts'
import { errors, network } from './index.ts'
import { SCOPE } from './manifest.ts'
import { sample } from './testing-posts.ts'

const button = { ctaType: 'LEARN_MORE', ctaUrl: 'https://example.com/bread?from=post' }

describeNetwork('google-business', {
  network,
  errors,
  start: (context) => simulatorBackend(network, 'GMB', context),
  samples: [
    sample('Fresh bread every morning', {}, { title: 'text' }),
    sample('New: rye with walnuts', button, { title: 'photo with a button', media: [{ file: 'photo.jpg' }] }),
    sample('Order your cake', { ctaType: 'CALL' }, { title: 'text with a call' }),
  ],
  signIns: [
    {
      accountType: 'GMB',
      base: 'posts/v4',
      page: '/authorize/o/oauth2/v2/auth',
      asks: {
        client_id: 'sandbox-client',
        response_type: 'code',
        scope: SCOPE,
        access_type: 'offline',
        prompt: 'consent',
        include_granted_scopes: 'true',
      },
      token: 'POST /token/token',
      reads: 'GET /accounts/v1/accounts',
      scopes: { [SCOPE]: 'permission to manage the business was not granted' },
      codeMs: 10 * 60_000,
      accessMs: 3_599_000,
      refresh: { rotates: false, lastsMs: null, needed: true },
      renewals: [
        [429, { error: 'rate_limit_exceeded' }, 'failed'],
        [400, { error: 'invalid_grant' }, 'dead'],
        [400, { error: 'unauthorized_client' }, 'failed'],
        [400, { error: 'invalid_request' }, 'failed'],
      ],
    },
  ],
})
