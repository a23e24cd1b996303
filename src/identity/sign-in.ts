import { createHash } from 'node:crypto'
import { betterAuth } from 'better-auth'
import { twoFactor } from 'better-auth/plugins'
import type { Kysely } from 'kysely'
import { hashPassword, verifyPassword } from './passwords.ts'

export interface SignInOptions {
  /** The library brings its own idea of the tables: the mapping below. */
  db: Kysely<unknown>
  /** Address of the installation, without a slash at the end. */
  publicUrl: string
  /** Keys of 32 bytes, the first of which signs and encrypts; the others still open what they have sealed. */
  secrets: readonly [Buffer, ...Buffer[]]
  /** A new id: UUIDv7. */
  newId(): string
}

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
    secrets: options.secrets.map((key) => ({ version: versionOf(key), value: key.toString('base64') })),
    database: { db, type: 'postgres', transaction: true },
    telemetry: { enabled: false },
    // Attempts are limited by Almanac itself: the library's limiter does not see calls from the server's own side.
    rateLimit: { enabled: false },
    logger: { disabled: true },
    advanced: { database: { generateId: () => newId() } },
    emailAndPassword: {
      enabled: true,
      // People come by invitation or by the operator's command.
      disableSignUp: true,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    session: {
      modelName: 'sessions',
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
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    plugins: [
      twoFactor({
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

/** The library names keys by a number; made of the key itself, it stays the same when keys are added or left out. */
function versionOf(key: Buffer): number {
  return createHash('sha256').update(key).digest().readUInt32BE(0)
}
