import type { Command } from './command.ts'
import { operatorCommand, rows } from './operator-command.ts'

/** What the operator does for people who sign in. */
export const userCommands: readonly Command[] = [
  operatorCommand(
    {
      name: 'users list',
      usage: '',
      summary: 'Lists the people who can sign in, and what they are a member of.',
    },
    async (operator) => {
      const users = await operator.operations.listUsersForOperator(operator)
      const lines = users.map(({ email, name, twoFactorEnabled, memberships }) => ({
        email,
        name,
        secondStep: twoFactorEnabled ? 'second step' : 'password only',
        memberships: memberships.map(({ account, role }) => `${account} (${role})`).join(', '),
      }))
      return { data: users, text: rows(lines, ['email', 'name', 'secondStep', 'memberships']).text }
    },
  ),
  operatorCommand(
    {
      name: 'users reset-link',
      positionals: ['address'],
      usage: 'ADDRESS',
      summary: 'Prints a link with which a person chooses a new password: one use, one hour.',
    },
    async (operator, given) => {
      const made = await operator.operations.makeResetLinkFor(operator, given.positional('address'))
      return { data: made, text: made.link }
    },
  ),
  operatorCommand(
    {
      name: 'users remove-second-step',
      positionals: ['address'],
      usage: 'ADDRESS',
      summary: 'Lets somebody who lost the app and the backup codes sign in by password alone.',
    },
    async (operator, given) => {
      const done = await operator.operations.takeSecondStepAway(operator, given.positional('address'))
      return { data: done, text: `${done.email} signs in by password alone now.` }
    },
  ),
]
