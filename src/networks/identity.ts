import type { Defaults } from './manifest.ts'

/** Secrets of an identity (tokens), as the network's folder shapes them. Encrypted at rest. */
export type Credentials = Readonly<Record<string, string>>

/** An account on a network with the secrets that reach it. */
export interface NetworkIdentity {
  externalId: string
  name: string
  username: string | null
  profileUrl: string | null
  avatarUrl: string | null
  credentials: Credentials
  /** When the credentials stop working, or what the person has allowed ends; null: not known. */
  expiresAt: Date | null
  /** Something about the account that may keep posts from being published, for people. The account is connected all the same. */
  warning?: string
  /**
   * Publishing defaults that the network itself reports for the account (a subscription). They take the place of what was
   * chosen; of those that are left out nothing was learned.
   */
  facts?: Defaults
  /** Addresses by endpoint name that belong to this identity rather than to the installation. */
  endpoints?: Readonly<Record<string, string>>
  /** The way by which it was signed in, one of `otherSignIns`; absent: the first one. */
  signIn?: string
}
