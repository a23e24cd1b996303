import Type from 'typebox'
import * as LIMITS from './limits.ts'
import { closed, orNull } from './schema.ts'
import { Preferences } from './session.ts'

const Password = Type.String({ maxLength: LIMITS.password.max })

/**
 * What confirms a new address besides the password: a link that is mailed to it; where no mail can be sent, an owner; for
 * the only owner nothing.
 */
const EMAIL_CONFIRMATIONS = ['LINK', 'OWNER', 'PASSWORD'] as const

/** The member's own names: `GET /internal/profile`. */
export const Profile = closed({
  name: Type.String(),
  email: Type.String(),
  /** The address that was asked for and is not confirmed yet; null for none. */
  pendingEmail: orNull(Type.String()),
  /** What an owner refused since; null for nothing. */
  refusedEmail: orNull(closed({ email: Type.String(), refusedBy: Type.String() })),
  emailConfirmedBy: Type.Enum([...EMAIL_CONFIRMATIONS]),
})
export type Profile = Type.Static<typeof Profile>

export const ProfileBody = closed({ name: Type.String() })
export type ProfileBody = Type.Static<typeof ProfileBody>
export const EmailBody = closed({ email: Type.String({ maxLength: LIMITS.emailCharacters }), password: Password })
export type EmailBody = Type.Static<typeof EmailBody>
export const PasswordBody = closed({ password: Password, newPassword: Password })
export type PasswordBody = Type.Static<typeof PasswordBody>
export const PreferencesBody = Type.Partial(Preferences, { additionalProperties: false })
export type PreferencesBody = Type.Static<typeof PreferencesBody>
/** Body of `PATCH /internal/account` */
export const AccountBody = closed({ name: Type.String() })
export type AccountBody = Type.Static<typeof AccountBody>
/** The account as its people see it. */
export const AccountName = closed({ id: Type.String(), name: Type.String() })
export type AccountName = Type.Static<typeof AccountName>
export const ActiveAccountBody = closed({ accountId: Type.String({ maxLength: 100 }) })
export type ActiveAccountBody = Type.Static<typeof ActiveAccountBody>

/** A browser in which the member is signed in. */
export const UserSession = closed({
  id: Type.String(),
  device: Type.String({ description: 'Browser and system in words.' }),
  address: Type.String({ description: 'From where it was begun; empty when that is not known.' }),
  startedAt: Type.String(),
  lastUsedAt: Type.String({ description: 'To five minutes.' }),
  current: Type.Boolean(),
})
export type UserSession = Type.Static<typeof UserSession>
export const UserSessions = closed({ data: Type.Array(UserSession) })
export type UserSessions = Type.Static<typeof UserSessions>

/** `GET /internal/two-factor` */
export const TwoFactor = closed({ enabled: Type.Boolean(), backupCodesLeft: Type.Integer() })
export type TwoFactor = Type.Static<typeof TwoFactor>

/** The secret for the authenticator app, as a picture or to type. */
export const TwoFactorStarted = closed({ uri: Type.String(), secret: Type.String() })
export type TwoFactorStarted = Type.Static<typeof TwoFactorStarted>

/** Shown only once. */
export const BackupCodes = closed({ backupCodes: Type.Array(Type.String()) })
export type BackupCodes = Type.Static<typeof BackupCodes>

/** The password that confirms a request. */
export const ConfirmedBody = closed({ password: Password })
export type ConfirmedBody = Type.Static<typeof ConfirmedBody>
