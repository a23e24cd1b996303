import type { Command } from './command.ts'
import { flag, operatorCommand, rows } from './operator-command.ts'

/** What the operator does for people who sign in. */
export const userCommands: readonly Command[] = [
  operatorCommand(
    {
      name: 'users list',
      usage: '',
      summary: 'Lists the people who can sign in, and their accounts.',
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
      summary: 'Prints a password reset link: one use, one hour.',
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
      summary: 'Lets a person who lost the app and the backup codes sign in with only the password.',
    },
    async (operator, given) => {
      const done = await operator.operations.takeSecondStepAway(operator, given.positional('address'))
      return { data: done, text: `${done.email} now signs in with only the password.` }
    },
  ),
  operatorCommand(
    {
      name: 'users operator',
      positionals: ['address'],
      usage: 'ADDRESS [--remove]',
      summary: 'Lets a person enter network apps in the dashboard, for the whole installation; --remove revokes that.',
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
