import { randomInt } from 'node:crypto'
import { betterAuth } from 'better-auth'
import { twoFactor } from 'better-auth/plugins'
import type { Kysely } from 'kysely'
import { LIMITS } from '#contract'
import { ADDRESS_HEADER } from './cookies.ts'
import { libraryKeysOf } from './library-keys.ts'
import { hashPassword, type PasswordCost, verifyPassword } from './passwords.ts'

export interface SignInOptions {
  /** The library brings its own idea of the tables: the mapping below. */
  db: Kysely<unknown>
  /** Address of the installation, without a slash at the end. */
  publicUrl: string
  /** Keys of 32 bytes, the first of which signs and encrypts; the others still open what they have sealed. */
  secrets: readonly [Buffer, ...Buffer[]]
  /** A new id: UUIDv7. */
  newId(): string
  /** For tests, which make many passwords that need not resist guessing. */
  passwordCost?: PasswordCost
}

const DAY_SECONDS = 24 * 3_600

export type SignIn = ReturnType<typeof createSignIn>

/**
 * The sign-in library on our tables: users, sessions, passwords, second steps. Its account is a row of user credentials;
 * accounts, members and invitations of Almanac are our own.
 */
export function createSignIn(options: SignInOptions) {
  const { db, newId } = options
  return betterAuth({
    appName: 'Almanac',
    baseURL: options.publicUrl,
    basePath: '/auth',
    secrets: libraryKeysOf(options.secrets),
    database: { db, type: 'postgres', transaction: true },
    telemetry: { enabled: false },
    // Attempts are limited by Almanac itself: the library's limiter does not see calls from the server's own side.
    rateLimit: { enabled: false },
    logger: { disabled: true },
    advanced: {
      database: { generateId: () => newId() },
      cookiePrefix: 'almanac',
      // HttpOnly, SameSite=Lax, and Secure with https, come from the library. Below a path, cookies are of that path.
      defaultCookieAttributes: { path: new URL(options.publicUrl).pathname },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    emailAndPassword: {
      enabled: true,
      // People come by invitation or by the operator's command.
      disableSignUp: true,
      // The rules for new passwords are ours; this is the length that is looked at, in UTF-16 units.
      maxPasswordLength: 2 * LIMITS.password.max,
      password: { hash: (password) => hashPassword(password, options.passwordCost), verify: verifyPassword },
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    session: {
      modelName: 'sessions',
      // It begins again, at most once a day, while it is used.
      expiresIn: 30 * DAY_SECONDS,
      updateAge: DAY_SECONDS,
      fields: {
        expiresAt: 'expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        userId: 'user_id',
      },
      additionalFields: {
        activeAccountId: { type: 'string', required: false, input: false, fieldName: 'active_account_id' },
        lastUsedAt: { type: 'date', required: false, input: false, fieldName: 'last_used_at' },
      },
    },
    account: {
      modelName: 'user_credentials',
      fields: {
        accountId: 'provider_account_id',
        providerId: 'provider_id',
        userId: 'user_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verifications',
      storeIdentifier: 'hashed',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    plugins: [
      twoFactor({
        // A challenge is over after ten minutes or five wrong codes.
        twoFactorCookieMaxAge: 600,
        backupCodeOptions: { customBackupCodesGenerate: newBackupCodes },
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            modelName: 'two_factors',
            fields: {
              backupCodes: 'backup_codes',
              userId: 'user_id',
              failedVerificationCount: 'failed_verification_count',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
    ],
  })
}

/** Of letters and digits that are not easily confused: 49 bits each. */
const BACKUP_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

function newBackupCodes(): string[] {
  const part = () => Array.from({ length: 5 }, () => BACKUP_LETTERS[randomInt(BACKUP_LETTERS.length)]).join('')
  return Array.from({ length: 10 }, () => `${part()}-${part()}`)
}
