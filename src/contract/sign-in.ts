import Type from 'typebox'
import * as LIMITS from './limits.ts'
import { closed } from './schema.ts'

/** Of a password that is asked for or chosen; what a new one must be is said in words of its own. */
const Password = Type.String({ maxLength: LIMITS.password.max })
const Email = Type.String({ maxLength: LIMITS.emailCharacters })
const Token = Type.String({ maxLength: 200 })

/**
 * Whether a text is an email address that can be used to sign in: ASCII letters, digits and `_+-.'` before the `@`,
 * then a domain of at least two parts (other scripts in `xn--` form).
 */
export function isMailAddress(text: string): boolean {
  if (text.length > LIMITS.emailCharacters) return false
  return /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/.test(text)
}

/** Whether an address is one of those generated for an owner without one: mail never arrives there. */
export function receivesNoMail(email: string): boolean {
  return email.endsWith('.invalid')
}

/** A code of an authenticator app, or a backup code. */
export const SecondStepBody = closed({ code: Type.String({ maxLength: 50 }) })
export type SecondStepBody = Type.Static<typeof SecondStepBody>

/** `GET /internal/setup` */
export const SetupState = closed({ needed: Type.Boolean({ description: 'Whether there is no account yet.' }) })
export type SetupState = Type.Static<typeof SetupState>

/** The first account with its owner and its first social set. */
export const SetupBody = closed({
  code: Type.String({ maxLength: 100, description: 'Part of the address that is printed at the start.' }),
  name: Type.String(),
  email: Email,
  password: Password,
  accountName: Type.String(),
  socialSetName: Type.String(),
  timezone: Type.String({ maxLength: 100, description: 'IANA name.' }),
})
export type SetupBody = Type.Static<typeof SetupBody>

/** `GET /internal/password-resets`: whether a reset link can be sent by mail. */
export const PasswordResetWays = closed({ byMail: Type.Boolean() })
export type PasswordResetWays = Type.Static<typeof PasswordResetWays>

export const ForgottenPasswordBody = closed({ email: Email })
export type ForgottenPasswordBody = Type.Static<typeof ForgottenPasswordBody>

export const LinkBody = closed({ token: Token })
export type LinkBody = Type.Static<typeof LinkBody>

/** Whose password a link replaces. */
export const PasswordResetLink = closed({ email: Type.String() })
export type PasswordResetLink = Type.Static<typeof PasswordResetLink>

export const PasswordResetBody = closed({ token: Token, password: Password })
export type PasswordResetBody = Type.Static<typeof PasswordResetBody>

/** The member's address from now on. */
export const ConfirmedEmail = closed({ email: Type.String() })
export type ConfirmedEmail = Type.Static<typeof ConfirmedEmail>
