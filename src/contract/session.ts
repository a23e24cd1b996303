import Type from 'typebox'
import { accountTypes } from './account-types.ts'
import * as LIMITS from './limits.ts'
import { PLAN_NAMES } from './plans.ts'
import { RIGHT_NAMES, ROLES } from './rights.ts'
import { closed, Id, orNull } from './schema.ts'

/** How a person wants the dashboard to be. */
export const Preferences = closed({
  theme: Type.Enum(['auto', 'light', 'dark'] as const),
  locale: orNull(Type.String({ maxLength: 35, description: 'BCP 47; null: that of the browser.' })),
  hourCycle: Type.Enum(['auto', 'h12', 'h23'] as const),
  weekStart: Type.Enum(['auto', 'monday', 'saturday', 'sunday'] as const),
  timezone: orNull(Type.String({ maxLength: 64, description: 'IANA name; null: that of the browser.' })),
  shortcuts: Type.Boolean({ description: 'Whether keys without a modifier do something.' }),
  presence: Type.Boolean({ description: 'Whether others see which post the member has open, and the member who has.' }),
  accountGroups: Type.Array(
    closed({
      socialSetId: Id,
      name: Type.String({ minLength: 1, maxLength: 40 }),
      accountTypes: Type.Array(Type.Enum([...accountTypes]), { minItems: 1, maxItems: accountTypes.length }),
    }),
    { maxItems: 100, description: 'Account types of a brand that the member chooses together when writing.' },
  ),
})
export type Preferences = Type.Static<typeof Preferences>

export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'auto',
  locale: null,
  hourCycle: 'auto',
  weekStart: 'auto',
  timezone: null,
  shortcuts: true,
  presence: true,
  accountGroups: [],
}

/** Who is signed in, on whose account, and what that person may do there: `GET /internal/session`. */
export const Session = closed({
  user: closed({ id: Type.String(), name: Type.String(), email: Type.String(), twoFactorEnabled: Type.Boolean() }),
  account: closed({ id: Type.String(), name: Type.String(), plan: Type.Enum([...PLAN_NAMES]) }),
  /** All accounts that the person is a member of. */
  accounts: Type.Array(closed({ id: Type.String(), name: Type.String(), role: Type.Enum([...ROLES]) })),
  role: Type.Enum([...ROLES]),
  rights: Type.Array(Type.Enum([...RIGHT_NAMES])),
  operator: Type.Boolean({ description: 'Whether the person operates this installation, in any account.' }),
  /** Ids of the social sets that the person sees; null for all. */
  socialSetIds: orNull(Type.Array(Type.String())),
  preferences: Preferences,
})
export type Session = Type.Static<typeof Session>

export const SignInBody = closed({
  email: Type.String({ maxLength: LIMITS.emailCharacters }),
  password: Type.String({ maxLength: LIMITS.password.max }),
})
export type SignInBody = Type.Static<typeof SignInBody>

/** `second-step`: the password was right, a code is required. */
export const SignInAnswer = closed({ next: Type.Enum(['signed-in', 'second-step'] as const) })
export type SignInAnswer = Type.Static<typeof SignInAnswer>
