import type { Rule } from '../conformance.ts'

export const authenticationRules: readonly Rule[] = [
  {
    id: 'auth-01',
    rule: 'Every request carries its key as a bearer credential in the Authorization header.',
  },
  {
    id: 'auth-02',
    rule: 'A key begins with the prefix of the service, followed by its secret.',
  },
  {
    id: 'auth-03',
    rule: 'Creating a key in the product requires the password of the account.',
  },
  {
    id: 'auth-04',
    rule: 'Changing or revoking a key in the product requires the password of the account.',
  },
  {
    id: 'auth-05',
    rule: 'The whole key is shown once, when it is made, and is stored as a hash.',
  },
  {
    id: 'auth-06',
    rule: 'A key can be disabled and revoked at any time.',
  },
  {
    id: 'auth-07',
    rule: 'An account has up to 10 active keys.',
  },
  {
    id: 'auth-08',
    rule: 'A key reads and does nothing else unless it is given more.',
  },
  {
    id: 'auth-09',
    rule: 'Editing, publishing and uploading are given to a key separately.',
  },
  {
    id: 'auth-10',
    rule: 'notes:write is needed to create and change notes.',
  },
  {
    id: 'auth-11',
    rule: 'post-sets:write is needed to create and change post sets.',
  },
  {
    id: 'auth-12',
    rule: 'post-sets:publish is needed, with post-sets:write, for every change that leaves a set SCHEDULED.',
  },
  {
    id: 'auth-13',
    rule: 'A key that may only edit makes drafts and never schedules.',
  },
  {
    id: 'auth-14',
    rule: 'Of a key that is restricted to social sets, everything outside of them is 404, as if it were not there.',
  },
  {
    id: 'auth-15',
    rule: 'Reading needs no scope for writing.',
  },
  {
    id: 'auth-16',
    rule: 'History names the key that created or changed a set.',
  },
  {
    id: 'auth-17',
    rule: 'The rules of the plan hold for requests of the API.',
  },
]
