import { readCookie, requestHeaders, type SignInFrom } from './cookies.ts'
import type { LibraryKeys } from './library-keys.ts'
import type { SignIn } from './sign-in.ts'

/** What becomes of a code. Cookies are values of the header Set-Cookie. */
type CodeOutcome =
  | { kind: 'right'; cookies: string[] }
  | { kind: 'wrong' }
  /** The first step is too long ago, or there were too many wrong codes since: it has to be done again. */
  | { kind: 'over' }
  /** Too many wrong codes over several sign-ins: for a quarter of an hour no code is right. */
  | { kind: 'locked' }

/** A second step that is being set up. */
interface StartedSecondStep {
  /** For an app that reads a picture: `otpauth://totp/…`. */
  uri: string
  /** For an app that is typed into: base32. */
  secret: string
}

/** The second step: a code of an app (TOTP, RFC 6238: six digits, 30 seconds) or one of ten backup codes. */
export interface SecondStep {
  /** Whose first step the cookies of a request prove; null when there was none, or too long ago. */
  findSecondStep(headers: Headers): Promise<string | null>
  /** Ends a sign-in with a code. The session is always a new one. */
  passSecondStep(code: string, from: SignInFrom): Promise<CodeOutcome>
  /** Begins to set up a second step; the user's password is asked for. Null: it is wrong, or there is one already. */
  startSecondStep(headers: Headers, password: string): Promise<StartedSecondStep | null>
  /** Ends that with a first code. The session gets a new token. The backup codes are shown this once. */
  confirmSecondStep(
    from: SignInFrom,
    code: string,
  ): Promise<{ kind: 'wrong' } | { kind: 'right'; cookies: string[]; backupCodes: string[] }>
  /** New backup codes; the old ones are worth nothing. Null: the password is wrong, or there is no second step. */
  renewBackupCodes(headers: Headers, password: string): Promise<string[] | null>
  countBackupCodes(userId: string): Promise<number>
  /** Takes the second step away. The session gets a new token. Null: the password is wrong. */
  removeSecondStep(from: SignInFrom, password: string): Promise<string[] | null>
}

/** Six digits are of an app; backup codes have letters. */
const APP_CODE = /^\d{6}$/

export function createSecondStep(library: () => Promise<SignIn>, keys: LibraryKeys): SecondStep {
  async function cookieNames() {
    const context = await (await library()).$context
    return { session: context.authCookies.sessionToken.name, step: context.createAuthCookie('two_factor').name }
  }

  const sessionHeaders = async (from: SignInFrom) => requestHeaders(from, [(await cookieNames()).session], keys)

  return {
    async findSecondStep(headers) {
      const { step } = await cookieNames()
      const signed = decoded(readCookie(headers, step))
      const identifier = signed?.slice(0, signed.lastIndexOf('.'))
      if (!identifier) return null
      // The signature is checked with the code; this result is for counting tries alone.
      const { internalAdapter } = await (await library()).$context
      const found = await internalAdapter.findVerificationValue(identifier)
      return found && found.expiresAt > new Date() ? found.value : null
    },
    async passSecondStep(code, from) {
      const { step } = await cookieNames()
      const { api } = await library()
      // Without a session's cookie: with one, the library would check the code against the person who is signed in.
      const request = { body: { code }, headers: requestHeaders(from, [step], keys), asResponse: true } as const
      const answer = APP_CODE.test(code) ? await api.verifyTOTP(request) : await api.verifyBackupCode(request)
      if (answer.ok) return { kind: 'right', cookies: answer.headers.getSetCookie() }
      const { code: reason } = (await answer.json().catch(() => ({}))) as { code?: string }
      if (answer.status === 429) return { kind: 'locked' }
      return { kind: reason === 'INVALID_CODE' || reason === 'INVALID_BACKUP_CODE' ? 'wrong' : 'over' }
    },
    async startSecondStep(headers, password) {
      const answer = await (await library()).api.enableTwoFactor({
        body: { password },
        headers: await sessionHeaders({ headers, address: '' }),
        asResponse: true,
      })
      if (!answer.ok) return null
      const { totpURI: uri } = (await answer.json()) as { totpURI: string }
      const secret = new URL(uri).searchParams.get('secret')
      if (!secret) throw new Error('The sign-in library has made a second step without a secret.')
      return { uri, secret }
    },
    async confirmSecondStep(from, code) {
      const { api } = await library()
      const answer = await api.verifyTOTP({ body: { code }, headers: await sessionHeaders(from), asResponse: true })
      if (!answer.ok) return { kind: 'wrong' }
      const { user } = (await answer.json()) as { user: { id: string } }
      const { backupCodes } = await api.viewBackupCodes({ body: { userId: user.id } })
      return { kind: 'right', cookies: answer.headers.getSetCookie(), backupCodes }
    },
    async renewBackupCodes(headers, password) {
      const answer = await (await library()).api.generateBackupCodes({
        body: { password },
        headers: await sessionHeaders({ headers, address: '' }),
        asResponse: true,
      })
      if (!answer.ok) return null
      const { backupCodes } = (await answer.json()) as { backupCodes: string[] }
      return backupCodes
    },
    async countBackupCodes(userId) {
      const { api } = await library()
      const { backupCodes } = await api.viewBackupCodes({ body: { userId } })
      return backupCodes.length
    },
    async removeSecondStep(from, password) {
      const { api } = await library()
      const headers = await sessionHeaders(from)
      const answer = await api.disableTwoFactor({ body: { password }, headers, asResponse: true })
      return answer.ok ? answer.headers.getSetCookie() : null
    },
  }
}

function decoded(value: string | null): string | null {
  try {
    return value === null ? null : decodeURIComponent(value)
  } catch {
    return null
  }
}
