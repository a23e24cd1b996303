import type { Rule } from '../conformance.ts'

export const authenticationRules: readonly Rule[] = [
  {
    id: 'auth-01',
    rule: 'Every request carries its key as a bearer credential in the Authorization header.',
    proof: [
      'test/api/keys.security.test.ts › a credential › that is missing',
      'test/api/keys.security.test.ts › a credential › does not count in a query or a body',
    ],
  },
  {
    id: 'auth-02',
    rule: 'A key begins with the prefix of the service, followed by its secret.',
    proof: ['test/api/keys.happy.test.ts › a key is shown once and stored as a hash with its beginning'],
  },
  {
    id: 'auth-03',
    rule: 'Creating a key in the product requires the password of the account.',
    proof: [
      'test/api/member-keys.security.test.ts › without the password of a member of the account nothing happens › for any caller, and any action',
      'test/api/member-keys.happy.test.ts › a member makes a key, which opens the API and remembers who made it',
      'test/api/keys-of-dashboard.happy.test.ts › a key is made, shown once and listed without its secret; it opens the API',
    ],
  },
  {
    id: 'auth-04',
    rule: 'Changing or revoking a key in the product requires the password of the account.',
    proof: [
      'test/api/member-keys.security.test.ts › without the password of a member of the account nothing happens › for any caller, and any action',
      'test/api/member-keys.happy.test.ts › a change of a key holds from its next request on; what is left out stays, and so does the secret',
      'test/api/member-keys.happy.test.ts › a member disables, enables and revokes a key; doing so twice changes nothing',
      'test/api/keys-of-dashboard.happy.test.ts › it is changed, disabled, enabled and revoked, and each holds from the next request on',
    ],
  },
  {
    id: 'auth-05',
    rule: 'The whole key is shown once, when it is made, and is stored as a hash.',
    proof: ['test/api/keys.happy.test.ts › a key is shown once and stored as a hash with its beginning'],
  },
  {
    id: 'auth-06',
    rule: 'A key can be disabled and revoked at any time.',
    proof: [
      'test/api/keys.happy.test.ts › a key is disabled, enabled and revoked; doing so twice changes nothing',
      'test/api/member-keys.happy.test.ts › a member disables, enables and revokes a key; doing so twice changes nothing',
      'test/cli/several-processes.test.ts › a key that is revoked is refused by both at once',
    ],
  },
  {
    id: 'auth-07',
    rule: 'An account has up to 10 active keys.',
    proof: [
      'test/api/keys.error.test.ts › ten active keys › are all that an account has; disabled and revoked ones do not count',
    ],
  },
  {
    id: 'auth-08',
    rule: 'A key reads and does nothing else unless it is given more.',
    proof: ['test/api/post-sets.security.test.ts › scopes › a key without scopes reads and does nothing else'],
  },
  {
    id: 'auth-09',
    rule: 'Editing, publishing and uploading are given to a key separately.',
    proof: [
      'test/api/post-sets.security.test.ts › scopes › publishing alone does not write',
      'test/api/media.security.test.ts › who may › importing needs media:write, asked for before anything of the body; reading needs no scope',
    ],
  },
  {
    id: 'auth-10',
    rule: 'notes:write is needed to create and change notes.',
    proof: [
      'test/api/note-rules.error.test.ts › who may › notes:write is needed to write, and nothing to read',
      'test/api/notes.security.test.ts › scopes › reading needs none, writing needs notes:write and nothing else',
    ],
  },
  {
    id: 'auth-11',
    rule: 'post-sets:write is needed to create and change post sets.',
    proof: [
      'test/api/post-sets.security.test.ts › scopes › a key without scopes reads and does nothing else',
      'test/api/post-sets.security.test.ts › scopes › publishing alone does not write',
    ],
  },
  {
    id: 'auth-12',
    rule: 'post-sets:publish is needed, with post-sets:write, for every change that leaves a set SCHEDULED.',
    proof: [
      'test/api/post-sets.security.test.ts › scopes › a key that only writes makes drafts and never leaves a set scheduled',
    ],
  },
  {
    id: 'auth-13',
    rule: 'A key that may only edit makes drafts and never schedules.',
    proof: [
      'test/api/post-sets.security.test.ts › scopes › a key that only writes makes drafts and never leaves a set scheduled',
    ],
  },
  {
    id: 'auth-14',
    rule: 'Of a key that is restricted to social sets, everything outside of them is 404, as if it were not there.',
    proof: [
      'test/api/post-sets.security.test.ts › what a key does not see is not there › sets and social sets outside of the restriction of a key, in bodies too',
      'test/api/media.security.test.ts › who may › a key of other social sets sees nothing and imports nothing, as if it were not there',
      'test/api/note-rules.error.test.ts › who may › what is not there, is of another account or lies outside of the key is 404, and stays',
    ],
  },
  {
    id: 'auth-15',
    rule: 'Reading needs no scope for writing.',
    proof: [
      'test/api/post-sets.security.test.ts › scopes › a key without scopes reads and does nothing else',
      'test/api/media.security.test.ts › who may › importing needs media:write, asked for before anything of the body; reading needs no scope',
      'test/api/note-rules.error.test.ts › who may › notes:write is needed to write, and nothing to read',
    ],
  },
  {
    id: 'auth-16',
    rule: 'History names the key that created or changed a set.',
    proof: [
      'test/api/post-sets.happy.test.ts › create › history names the key that created the set',
      'test/api/post-set-updates.happy.test.ts › versions, times and history › history records what changed, and by which key',
    ],
  },
  {
    id: 'auth-17',
    rule: 'The rules of the plan hold for requests of the API.',
    proof: ['test/api/plans.error.test.ts › everything that the plan lacks is reported at once'],
  },
]
