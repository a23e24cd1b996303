import type { Kysely } from 'kysely'
import { hashPassword, newPassword, verifyPassword } from './passwords.ts'
import type { createSignIn, SignInOptions } from './sign-in.ts'

export type SignIn = ReturnType<typeof createSignIn>

/** Who people are and how they prove it. Behind it stands better-auth, on tables of our own migrations. */
export interface Identity {
  hashPassword(password: string): Promise<string>
  verifyPassword(input: { hash: string; password: string }): Promise<boolean>
  newPassword(): string
  /** Sessions, members, invitations, two-factor. Loaded when it is first asked for: it is large. */
  signIn(): Promise<SignIn>
}

export function createIdentity<Tables>(options: Omit<SignInOptions, 'db'> & { db: Kysely<Tables> }): Identity {
  let loading: Promise<SignIn> | null = null
  return {
    hashPassword,
    verifyPassword,
    newPassword,
    signIn: () =>
      (loading ??= import('./sign-in.ts').then((room) =>
        room.createSignIn({ ...options, db: options.db as unknown as Kysely<unknown> }),
      )),
  }
}
