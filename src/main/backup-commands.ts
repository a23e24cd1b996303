import { backUp, restore, type Stop, verifyBackup } from '../app.ts'
import { type Command, type Given, type Outcome, UsageError } from './command.ts'
import { flag, text } from './operator-command.ts'
import { dueText } from './resume-command.ts'

const progress = (message: string) => void process.stderr.write(`almanac: ${message}\n`)

/** The commands that back up an installation and restore one. `backup verify` comes before `backup`, which it begins with. */
export const backupCommands: readonly Command[] = [
  {
    name: 'backup verify',
    positionals: ['backup'],
    usage: 'FOLDER [--key-from FILE]',
    summary:
      'Checks that a backup can be restored: restores it into a temporary database, compares all of its files and decrypts a secret.',
    options: { 'key-from': text },
    async run(given, stop) {
      const verified = await verifyBackup(
        given.positional('backup'),
        { keyFrom: given.optional('key-from') },
        { progress, stop },
      )
      const { folder, takenAt, rows, files, secrets } = verified
      const key =
        secrets === 'open' ? 'Its secrets open.' : 'Its secrets were not tested: the key is neither in it nor set here.'
      return { data: verified, text: `${folder} is whole: ${rows} rows as of ${takenAt}, ${files} files. ${key}` }
    },
  },
  {
    name: 'backup',
    positionals: ['folder'],
    usage: 'FOLDER --with-key | --key-for FILE | --key-is-elsewhere',
    summary:
      'Backs up all rows and files into a folder, beside earlier backups, while Almanac runs. The secret key is stored in it, or encrypted with a passphrase or a public key in FILE, or it is elsewhere: without it, no connected account can be used again.',
    options: { 'with-key': flag, 'key-for': text, 'key-is-elsewhere': flag },
    run: makeOne,
  },
  {
    name: 'restore',
    positionals: ['backup'],
    usage: 'FOLDER [--key-from FILE | --without-key]',
    summary:
      'Restores a backup, or the newest of a folder, into an empty database. Almanac is then held: nothing goes out before you answer (`almanac resume`).',
    options: { 'key-from': text, 'without-key': flag },
    run: restoreOne,
  },
]

async function makeOne(given: Given, stop: Stop): Promise<Outcome> {
  const sealedFor = given.optional('key-for')
  const chosen = [
    ...(given.flag('with-key') ? [{ kind: 'beside' } as const] : []),
    ...(sealedFor === null ? [] : [{ kind: 'sealed', sealedFor } as const]),
    ...(given.flag('key-is-elsewhere') ? [{ kind: 'elsewhere' } as const] : []),
  ]
  const [choice] = chosen
  if (!choice || chosen.length > 1)
    throw new UsageError(
      'Say where the secret key is stored, because without it no connected account can be used again: --with-key (in the backup), --key-for FILE (in it, encrypted with the passphrase or public key in FILE) or --key-is-elsewhere.',
    )
  const made = await backUp(given.positional('folder'), choice, { progress, stop })
  const { folder, takenAt, rows, files, newFiles, missing } = made
  const lost =
    missing === 0
      ? ''
      : ` ${missing} files were missing in the library before, and are not in the backup: almanac doctor says more.`
  return {
    data: made,
    text: `${folder} is whole: ${rows} rows as of ${takenAt}, ${files} files, ${newFiles} of them new.${lost}`,
  }
}

async function restoreOne(given: Given, stop: Stop): Promise<Outcome> {
  const keyFrom = given.optional('key-from')
  const withoutKey = given.flag('without-key')
  if (keyFrom !== null && withoutKey) throw new UsageError('Give --key-from or --without-key, not both.')
  const restored = await restore(given.positional('backup'), { keyFrom, withoutKey }, { progress, stop })
  const { takenAt, rows, files, keyPath, setsKey, toConnect, due } = restored
  const lines = [
    `Restored as of ${takenAt}: ${rows} rows, ${files} files.`,
    ...(setsKey ? [`Set ALMANAC_SECRET_KEY to what is in ${keyPath} before you start.`] : []),
    ...(toConnect > 0 ? [`Accounts to reconnect, because the secret key is lost: ${toConnect}.`] : []),
    dueText(due),
    'Start Almanac. Nothing goes out before you answer that this is the only one: almanac resume.',
  ]
  return { data: restored, text: lines.join('\n') }
}
