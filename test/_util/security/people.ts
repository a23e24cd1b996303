import { newId } from '#domain'
import { askFor, newAddress } from '../api/email-changes.ts'
import { cookieOf, tokenOf } from '../api/invitations.ts'
import { totp } from '../api/totp.ts'
import { enrolled } from '../api/two-factor.ts'
import { newPerson } from '../api/visitor.ts'
import type { GivenBy, Row, Table } from './row.ts'

/** A member who sees some social sets only cannot invite, change or remove people who see all of them. */
const WIDER = { restricted: [403, 'auth:insufficient_role'] } as const
const invitation: Row = {
  given: async ({ make }) => ({ params: { id: (await make.invitation()).invitation.id } }),
  outside: 'invitation:not_found',
  ...WIDER,
}
/** About the address that a member asked for. */
const newEmail: Row = {
  given: async ({ make }) => {
    const member = await make.member()
    const email = newAddress()
    await askFor(member, email)
    return { params: { id: member.userId }, body: { email } }
  },
  outside: 'member:not_found',
  ...WIDER,
}
const confirmed: Row['given'] = (_, { password }) => ({ body: { password } })
/** Begins to set up a second step: the code that confirms it. */
async function begun({ person }: GivenBy): Promise<string> {
  const { body } = await person.request('POST', '/two-factor', { body: { password: person.password } })
  return totp(body.secret)
}
const withSecondStep: Row = {
  rights: [],
  given: async (_, by) => {
    const confirmed = await by.person.request('POST', '/two-factor/confirm', { body: { code: await begun(by) } })
    return { body: { password: by.password }, cookie: cookieOf(confirmed) }
  },
  outside: 'own',
  endsSession: true,
}

/** Routes about members, invitations, sessions and the caller's own profile. */
export const PEOPLE: Table = {
  'GET /members': { outside: 'own' },
  'GET /roles': { outside: 'own' },
  'PATCH /members/:id': {
    given: async ({ make }) => ({ params: { id: (await make.member()).userId }, body: { role: 'reviewer' } }),
    outside: 'member:not_found',
    ...WIDER,
  },
  'GET /members/:id/links': {
    given: async ({ make }) => ({ params: { id: (await make.member()).userId } }),
    outside: 'member:not_found',
    ...WIDER,
  },
  'DELETE /members/:id': {
    given: async ({ make }, { password }) => ({ params: { id: (await make.member()).userId }, body: { password } }),
    rights: ['members:manage'],
    outside: 'member:not_found',
    ...WIDER,
  },
  'DELETE /members/:id/second-step': {
    given: async ({ api }, { password }) => ({
      params: { id: (await enrolled(api)).person.userId },
      body: { password },
    }),
    outside: 'member:not_found',
    ...WIDER,
  },
  'POST /members/:id/email/confirm': newEmail,
  'POST /members/:id/email/refuse': newEmail,
  'POST /invitations': {
    given: () => ({ body: { email: `${newId()}@example.com`, role: 'author', socialSetIds: null } }),
    outside: 'own',
    ...WIDER,
  },
  'POST /invitations/:id/resend': invitation,
  'DELETE /invitations/:id': invitation,

  'GET /session': { outside: 'own' },
  'PUT /session/account': {
    rights: [],
    given: ({ api }) => ({ body: { accountId: api.accountId } }),
    outside: 'account:not_found',
    restricted: 'own',
  },
  'PATCH /account': { given: () => ({ body: { name: 'Renamed' } }), outside: 'own', ...WIDER },
  'GET /sessions': { outside: 'own' },
  'DELETE /sessions': { rights: [], outside: 'own', endsSession: true },
  'DELETE /sessions/:id': {
    rights: [],
    given: async (_, { person }) => {
      const { body } = await person.request('GET', '/sessions')
      return { params: { id: body.data[0].id } }
    },
    endsSession: true,
    outside: 'session:not_found',
  },
  'GET /profile': { outside: 'own' },
  'PATCH /profile': { rights: [], given: () => ({ body: { name: 'Ada' } }), outside: 'own' },
  'PUT /profile/email': {
    rights: [],
    given: (_, { password }) => ({ body: { email: `${newId()}@example.com`, password } }),
    outside: 'own',
    endsSession: true,
  },
  'DELETE /profile/email': { rights: [], outside: 'own' },
  'PUT /profile/password': {
    rights: [],
    given: (_, { password }) => ({ body: { password, newPassword: newId() } }),
    outside: 'own',
    endsSession: true,
  },
  'PATCH /preferences': { rights: [], given: () => ({ body: { theme: 'dark' } }), outside: 'own' },
  'GET /two-factor': { outside: 'own' },
  'POST /two-factor': { rights: [], given: confirmed, outside: 'own', endsSession: true },
  'POST /two-factor/confirm': {
    rights: [],
    given: async (_, by) => ({ body: { code: await begun(by) } }),
    outside: 'own',
    endsSession: true,
  },
  'POST /two-factor/backup-codes': withSecondStep,
  'DELETE /two-factor': withSecondStep,

  // No session is needed below: a password, code or token in the body is the credential.
  'POST /session': {
    given: async ({ api }) => {
      const { email, password } = await newPerson(api)
      return { body: { email, password } }
    },
    outside: 'own',
  },
  'DELETE /session': { outside: 'own' },
  'POST /session/second-step': {
    given: () => ({ body: { code: '123456' } }),
    done: [401, 'auth:second_step_over'],
    outside: 'own',
  },
  'GET /setup': { outside: 'own' },
  'POST /setup': {
    given: () => ({
      body: {
        code: 'a guess',
        name: 'Ada',
        email: 'ada@example.com',
        password: newId(),
        accountName: 'Mine',
        socialSetName: 'Mine',
        timezone: 'UTC',
      },
    }),
    done: [403, 'auth:wrong_setup_code'],
    outside: 'own',
  },
  'GET /password-resets': { outside: 'own' },
  'POST /password-resets': { given: () => ({ body: { email: 'ada@example.com' } }), outside: 'own' },
  'POST /password-resets/look': guessed({}),
  'POST /password-resets/redeem': guessed({ password: newId() }),
  'POST /email-changes/redeem': guessed({}),
  'POST /invitations/look': {
    given: async ({ make }) => ({ body: { token: tokenOf((await make.invitation()).link) } }),
    outside: 'own',
  },
  'POST /invitations/accept': {
    given: async ({ make }) => ({
      body: { token: tokenOf((await make.invitation()).link), name: 'Ada', password: newId() },
    }),
    outside: 'own',
  },
}

/** A token that was never sent. */
function guessed(body: object): Row {
  return { given: () => ({ body: { token: 'guessed', ...body } }), done: [410, 'auth:link_over'], outside: 'own' }
}
