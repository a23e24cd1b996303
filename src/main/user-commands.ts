import type { Command } from './command.ts'
import { flag, operatorCommand, rows } from './operator-command.ts'

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
      const lines = users.map(({ email, name, twoFactorEnabled, operator: operates, memberships }) => ({
        email,
        name,
        secondStep: twoFactorEnabled ? 'second step' : 'password only',
        operator: operates ? 'operator' : '-',
        memberships: memberships.map(({ account, role }) => `${account} (${role})`).join(', '),
      }))
      return { data: users, text: rows(lines, ['email', 'name', 'secondStep', 'operator', 'memberships']).text }
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
      summary: 'Lets a person who lost the app and the backup codes sign in by password alone.',
    },
    async (operator, given) => {
      const done = await operator.operations.takeSecondStepAway(operator, given.positional('address'))
      return { data: done, text: `${done.email} signs in by password alone now.` }
    },
  ),
  operatorCommand(
    {
      name: 'users operator',
      positionals: ['address'],
      usage: 'ADDRESS [--remove]',
      summary:
        'Lets a person enter the apps of networks in the dashboard, for the whole installation; --remove ends it.',
      options: { remove: flag },
    },
    async (operator, given) => {
      const done = await operator.operations.setOperator(operator, given.positional('address'), !given.flag('remove'))
      const text = done.operator
        ? `${done.email} operates this installation: Settings in the dashboard has Network apps now.`
        : `${done.email} operates this installation no more.`
      return { data: done, text }
    },
  ),
]
